// Augmented: a network that hears each chunk three times.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "domain/music/chunk_separator.h"

namespace sluice::music {

/// As it is, with its channels swapped, and with its sign turned; the mean of the three, each
/// turned back. MSST's test-time augmentation, chunk by chunk.
class Augmented : public ChunkSeparator {
  public:
    /// The network must outlive it.
    explicit Augmented(ChunkSeparator& network) : network_(network) {}

    index samples() const override { return network_.samples(); }
    index stems() const override { return network_.stems(); }
    Status separate(std::span<float const> mix, std::span<float> out, index batch) override;
    bool rounds() const override { return network_.rounds(); }
    void trace(Trace* trace, index chunk) override { network_.trace(trace, chunk); }

  private:
    ChunkSeparator& network_;
    std::vector<float> mix_, out_;
};

}  // namespace sluice::music
