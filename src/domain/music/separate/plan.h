// Plan: where the chunks of a song begin, where their samples are from, and what each sample
// weighs. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sluice/music_separate.h"
#include "sluice/result.h"

namespace sluice::music {

/// One chunk of a song.
struct PlannedChunk {
    index begin = 0;  ///< the song's sample at its first position; negative: before the song
    /// Positions that the padded song has; the network gets more, which are not joined.
    index there = 0;
    bool mirrors = false;  ///< positions beyond the song: mirrored, or else zero
    bool fades_in = true, fades_out = true;

    bool operator==(PlannedChunk const&) const = default;
};

/// The chunks of songs of any length. It does not change.
class Plan {
  public:
    static Result<Plan> make(Cut const& cut);

    Cut const& cut() const { return cut_; }
    index samples() const { return cut_.chunk; }
    index hop() const { return hop_; }

    /// How many chunks the rules of the preset ask for; with those that no sample needs.
    index count(index length) const;
    /// The chunk of a number from 0 on. Without a length, of any song that has needs() samples.
    PlannedChunk chunk(index number, std::optional<index> length) const;
    /// Whether a chunk ends before the song, or begins behind it: then it is not used.
    bool dead(PlannedChunk const& chunk, index length) const;

    /// So many samples of the song determine a chunk, whatever follows them. It grows with the
    /// number.
    index needs(index number) const;
    /// The first sample that this chunk or a later one can read.
    index keeps(index number) const;
    /// Where chunk() begins if the song is as long as needs(); no later chunk begins before.
    index begin(index number) const;

    /// The song's sample at a position of a chunk; -1 where it is zero.
    index sample(PlannedChunk const& chunk, index position, index length) const;
    /// What the chunk's positions weigh. `scratch` is used at the ends of a song.
    std::span<float const> weights(PlannedChunk const& chunk, std::vector<float>& scratch) const;
    /// The divisor of sums; empty where that is the sum of the weights.
    std::optional<float> divisor() const;

  private:
    Plan(Cut const& cut);
    index border(std::optional<index> length) const;

    Cut cut_;
    index hop_ = 0, fade_ = 0, span_ = 0;
    std::vector<float> window_;
};

}  // namespace sluice::music
