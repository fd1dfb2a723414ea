// Ensemble: one or more networks that separate the same samples, and the joining of their stems.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "domain/music/separate/augment.h"
#include "domain/music/separate/chunk_stream.h"
#include "sluice/music_separate.h"

namespace sluice::music {

/// A network, how it cuts songs, and which of its stems are wanted.
struct Member {
    ChunkSeparator* network = nullptr;
    Plan plan;
    std::vector<index> stems;  ///< equally many of each member
    double weight = 1;
};

/// Members may have chunks of different lengths: each waits until the others are as far. The stems
/// of a single member go through bit by bit.
class Ensemble {
  public:
    Ensemble(std::vector<Member> const& members, SeparateOptions const& options);
    Ensemble(Ensemble&&) = delete;
    ~Ensemble();

    void add(std::span<float const> left, std::span<float const> right);
    void end();
    bool due() const;
    /// Separates a batch of one member, and adds what all have to the lanes [stem * 2 + channel].
    Status run(std::vector<std::vector<float>>& lanes);
    index chunks() const;

  private:
    struct Running;
    void join(std::vector<std::vector<float>>& lanes);

    std::vector<std::unique_ptr<Running>> members_;
    Join join_;
};

}  // namespace sluice::music
