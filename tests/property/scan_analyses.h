// Every analysis of scans, ready to fold: two masks and weights, moments, sums and statistics.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/stem4d/all_stats.h"
#include "domain/stem4d/moment_frames.h"
#include "domain/stem4d/remote_scan.h"
#include "domain/stem4d/square_planes.h"
#include "domain/stem4d/sum_frames.h"
#include "domain/stem4d/sum_planes.h"
#include "fold/packed.h"
#include "fold/together.h"
#include "scan/fold.h"

namespace sluice::stem4d {

/// What the analyses of a scan refer to.
class Analyses {
  public:
    explicit Analyses(Scan const& scan)
        : grid_(scan.plan().grid()),
          frames_(scan.plan().frames()),
          take_(static_cast<std::size_t>(frames_)) {
        for (int which : {0, 1, 2}) {
            Array<float> a = Array<float>::zeros({grid_.rows, grid_.cols});
            for (std::size_t i = 0; i < a.values.size(); ++i)
                a.values[i] = which == 2   ? static_cast<float>(i % 11) / 7 - 1
                              : which == 1 ? static_cast<float>(i % 3 == 0)
                                           : 1;
            detectors_.push_back(compile(a, scan.bad_pixels()));
        }
        for (std::size_t f = 0; f < take_.size(); ++f) take_[f] = f % 5 != 2;
        masks_ = frame_masks(take_, scan.plan().tiles());
    }

    SumFrames sums() const { return {detectors_, device, frames_}; }
    MomentFrames moments() const { return {detectors_[1], device, grid_, frames_}; }
    SumPlanes planes() const { return {masks_, device, grid_}; }
    SquarePlanes squares() const { return {masks_, device, grid_}; }
    AllStats stats() const { return {masks_, take_, device, grid_}; }
    /// Some of them in one pass.
    fold::Together<store::Unit> together() const { return {{sums(), moments(), stats()}}; }

    Device device = Device::cpu(1);

  private:
    planes::Grid grid_;
    index frames_;
    std::vector<Compiled> detectors_;
    std::vector<std::uint8_t> take_;
    std::vector<std::uint16_t> masks_;
};

template <class F>
void for_each_analysis(Scan const& scan, F const& f) {
    Analyses const all(scan);
    f(all.sums());
    f(all.moments());
    f(all.stats());
    f(all.together());
    if (scan.chosen_layout() != Layout::planes) return;
    f(all.planes());
    f(all.squares());
}

/// Results as numbers that can be compared; those of every analysis are doubles or exact in them.
inline std::vector<double> numbers_of(std::vector<double> v) {
    return v;
}
inline std::vector<double> numbers_of(std::vector<std::uint64_t> const& v) {
    return {v.begin(), v.end()};
}
inline std::vector<double> numbers_of(std::vector<dense::PixelStats> const& v) {
    std::vector<double> all;
    for (dense::PixelStats const& s : v) all.insert(all.end(), {s.sum, s.squares, s.max});
    return all;
}
inline std::vector<double> numbers_of(std::vector<std::any> const& v) {
    std::vector<double> all;
    for (std::any const& one : v) {
        auto const* const numbers = std::any_cast<std::vector<double>>(&one);
        auto const* const stats = std::any_cast<AllStats::Result>(&one);
        std::vector<double> const its = numbers ? numbers_of(*numbers) : numbers_of(*stats);
        all.insert(all.end(), its.begin(), its.end());
    }
    return all;
}

}  // namespace sluice::stem4d
