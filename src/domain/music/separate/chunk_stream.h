// ChunkStream: samples of a song go in, samples of its stems come out, through a network's chunks.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "domain/music/chunk_separator.h"
#include "domain/music/separate/history.h"
#include "domain/music/separate/overlap_add.h"
#include "domain/music/separate/plan.h"

namespace sluice::music {

/// Two channels, at the network's rate. Memory is that of a few chunks, and of stems that were not
/// taken. The samples of the stems do not depend on how the song's samples were handed over, nor on
/// the batch.
class ChunkStream {
  public:
    /// The network must outlive the stream; chunks must have as many samples as the plan says.
    /// Steps are noted in `trace`, if there is one.
    ChunkStream(ChunkSeparator& network, Plan const& plan, index batch, Trace* trace = nullptr);

    /// Takes equally many samples of both channels.
    void add(std::span<float const> left, std::span<float const> right);
    /// No more samples come.
    void end();
    /// Whether run() has a batch of chunks to separate, or the last ones.
    bool due() const;
    /// Separates one batch, and appends what became final to the lanes [stem * 2 + channel].
    /// Errors: those of the network, and stems that are not finite.
    Status run(std::vector<std::vector<float>>& lanes);
    /// All samples came, and those of the stems were given.
    bool done() const { return ended_ && given_ == history_.end(); }
    index chunks() const { return chunks_; }  ///< that were separated

  private:
    bool known(index number) const;
    void fill(PlannedChunk const& chunk, std::span<float> out) const;
    Status check(std::span<float const> chunk, PlannedChunk const& where) const;

    Trace* trace_;
    ChunkSeparator& network_;
    Plan plan_;
    index batch_;
    History history_;
    OverlapAdd sums_;
    std::vector<float> mix_, stems_, scratch_;
    index next_ = 0, given_ = 0, chunks_ = 0;
    bool ended_ = false;
};

}  // namespace sluice::music
