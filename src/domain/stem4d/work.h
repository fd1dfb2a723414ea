// What products() does before the pass over the data and after it, a struct for each product.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/stem4d/all_stats.h"
#include "domain/stem4d/moment_frames.h"
#include "domain/stem4d/remote_scan.h"
#include "domain/stem4d/square_planes.h"
#include "domain/stem4d/sum_frames.h"
#include "domain/stem4d/sum_planes.h"

namespace sluice::stem4d {

/// Marks the numbers of frames that were not measured by NaN; `each` of them belong to a frame.
void mark_lost(store::Plan const& plan, index each, std::span<double> numbers);

/// Virtual images. The detectors' disk, where one is needed, is in `options`.
struct ImageWork {
    VirtualImages out = {};
    std::vector<Compiled> compiled = {};

    static Result<ImageWork> begin(Scan const& scan, std::span<Detector const> detectors,
                                   Options const& options);
    /// Blocks that are looked at; empty: all.
    std::vector<std::uint8_t> need(Scan const& scan) const;
    Result<std::vector<double>> remote(RemoteScan& remote, Scan const& scan) const;
    VirtualImages finish(std::vector<double> values, Scan const& scan, store::Tally const& tally,
                         Options const& options) &&;
};

/// Centres of mass.
struct MomentWork {
    CenterOfMass out = {};
    Compiled compiled = {};

    static Result<MomentWork> begin(Scan const& scan, std::optional<Detector> const& mask,
                                    Options const& options);
    Result<std::vector<double>> remote(RemoteScan& remote, Scan const& scan) const;
    CenterOfMass finish(std::span<double const> moments, Scan const& scan,
                        store::Tally const& tally) &&;
};

/// Diffraction patterns of several kinds, over the same points.
struct PatternWork {
    std::vector<Pattern> kinds = {};
    index frames = 0;                           ///< that take part
    std::vector<std::uint8_t> chosen = {};      ///< [frame]
    std::vector<std::uint16_t> masks = {};      ///< [tile]
    std::vector<dense::PixelStats> stats = {};  ///< [row][col], what the pass finds

    static Result<PatternWork> begin(Scan const& scan, std::span<Pattern const> kinds,
                                     std::span<std::uint8_t const> take);
    /// Which analysis is the least that finds all that the patterns need; else it is AllStats.
    bool by_sums(Scan const& scan) const;
    bool by_squares(Scan const& scan) const;
    void take(std::span<std::uint64_t const> sums, planes::Grid grid);
    void take_squares(std::span<double const> both, planes::Grid grid);
    std::vector<DiffractionPattern> finish(Scan const& scan, store::Tally const& tally) const;
};

}  // namespace sluice::stem4d
