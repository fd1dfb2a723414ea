// Diffraction patterns over a scan.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <numeric>

#include "domain/stem4d/all_stats.h"
#include "domain/stem4d/remote_scan.h"
#include "domain/stem4d/square_planes.h"
#include "domain/stem4d/sum_planes.h"
#include "scan/describe.h"
#include "scan/fold.h"

namespace sluice::stem4d {
namespace {

double value_of(dense::PixelStats const& s, Pattern kind, double n) {
    switch (kind) {
        case Pattern::sum:
            return s.sum;
        case Pattern::mean:
            return s.sum / n;
        case Pattern::max:
            return s.max;
        case Pattern::variance:
            return std::max(0.0, s.squares / n - s.sum / n * (s.sum / n));
    }
    return 0;
}

}  // namespace

Result<Pattern> parse_pattern(std::string const& name) {
    if (name == "sum") return Pattern::sum;
    if (name == "mean") return Pattern::mean;
    if (name == "max") return Pattern::max;
    if (name == "variance") return Pattern::variance;
    return Error{Code::invalid_argument,
                 "no pattern '" + name + "'; there are sum, mean, max and variance"};
}

Result<DiffractionPattern> diffraction_pattern(Scan const& scan, Pattern kind,
                                               std::span<std::uint8_t const> take,
                                               Options const& options) {
    store::Plan const& plan = scan.plan();
    planes::Grid const grid = plan.grid();
    std::vector<std::uint8_t> chosen(static_cast<std::size_t>(plan.frames()), 1);
    if (!take.empty()) {
        if (take.size() != chosen.size())
            return Error{Code::invalid_argument,
                         fmt::format("a choice of {} scan points (the scan has {}x{})", take.size(),
                                     plan.scan[0], plan.scan[1])};
        for (std::size_t i = 0; i < chosen.size(); ++i) chosen[i] = take[i] != 0;
    }
    DiffractionPattern out;
    out.frames = std::accumulate(chosen.begin(), chosen.end(), index{0});
    if (out.frames == 0)
        return Error{Code::invalid_argument, "no scan point chosen; choose at least one"};
    out.values = Array<double>::zeros({grid.rows, grid.cols});
    std::vector<std::uint16_t> const masks = frame_masks(chosen, plan.tiles());
    store::Tally tally;
    stream::FoldOptions fold_options{.device = options.device,
                                     .progress = options.progress,
                                     .trace = options.trace,
                                     .tally = &tally};
    for (std::uint16_t m : masks) fold_options.skip.push_back(m == 0);
    bool const sums = kind == Pattern::sum || kind == Pattern::mean;
    std::vector<dense::PixelStats> stats(static_cast<std::size_t>(grid.rows * grid.cols));
    SLUICE_TRY(auto remote, RemoteScan::on(scan, options.device));
    if (remote) {
        Step const step(options.trace, Phase::fold, 0);
        SLUICE_CHECK(remote->pattern(chosen, stats));
    } else if (sums && scan.chosen_layout() == Layout::planes) {
        fold_options.batch = SumPlanes::batch;
        SLUICE_TRY(auto const sum,
                   stream::fold(scan, SumPlanes{masks, options.device, grid}, fold_options));
        for (index r = 0; r < grid.rows; ++r)
            for (index c = 0; c < grid.cols; ++c)
                stats[static_cast<std::size_t>(r * grid.cols + c)].sum =
                    static_cast<double>(sum[static_cast<std::size_t>(grid.block_of(r, c) * 64 +
                                                                     planes::Grid::bit_of(r, c))]);
    } else if (kind == Pattern::variance && scan.chosen_layout() == Layout::planes) {
        fold_options.batch = SquarePlanes::batch;
        SLUICE_TRY(auto const both,
                   stream::fold(scan, SquarePlanes{masks, options.device, grid}, fold_options));
        for (index r = 0; r < grid.rows; ++r)
            for (index c = 0; c < grid.cols; ++c) {
                auto const from =
                    static_cast<std::size_t>(grid.block_of(r, c) * 64 + planes::Grid::bit_of(r, c));
                dense::PixelStats& s = stats[static_cast<std::size_t>(r * grid.cols + c)];
                s.sum = both[from];
                s.squares = both[from + both.size() / 2];
            }
    } else {
        SLUICE_TRY(stats,
                   stream::fold(scan, AllStats{masks, chosen, options.device, grid}, fold_options));
    }
    for (std::size_t i = 0; i < stats.size(); ++i)
        out.values.values[i] = value_of(stats[i], kind, static_cast<double>(out.frames));
    out.notes = scan.notes();
    stream::describe(tally, scan.dataset(), out.notes);
    return out;
}

}  // namespace sluice::stem4d
