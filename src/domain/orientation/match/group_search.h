// GroupSearch: patterns against all zones of a library, or against those near the best of a few.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/orientation/match/candidates.h"
#include "domain/orientation/match/disk_reader.h"

namespace sluice::orient {

/// One for each worker. Patterns are searched side by side, but what is found of one does not
/// depend on the others.
class GroupSearch {
  public:
    GroupSearch(stem4d::OrientationLibrary::State const& library, MatchKernels const& kernels,
                bool exhaustive);

    /// `found` is [pattern]; of a pattern without disks nothing is found.
    void operator()(std::span<PatternDisks const> patterns, std::span<Candidates> found);

    /// The spectrum of a pattern of the last group.
    float const* spectrum(index pattern) const { return spectra_.data() + pattern * floats_; }

  private:
    void make_spectra(std::span<PatternDisks const> patterns);
    void coarse(index patterns);
    void choose_cells(index patterns);
    void fine(index cell, std::span<Candidates> found);
    void load_lanes(std::span<index const> patterns);
    void search(float const* tile);

    stem4d::OrientationLibrary::State const& library_;
    MatchKernels const& kernels_;
    bool exhaustive_;
    index floats_;
    std::vector<float> spectra_, zero_;       // [pattern][float]
    std::vector<float> weight_, sums_;        // rooms
    std::vector<float> scores_;               // [pattern][cell]
    std::vector<std::vector<index>> wanted_;  // [cell] patterns
    std::vector<index> order_, all_;
    crystal::AlignedFloats lanes_, room_;
    std::array<ZoneBest, zones_of_tile> best_;
};

}  // namespace sluice::orient
