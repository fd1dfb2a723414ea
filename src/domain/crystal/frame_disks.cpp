// Finds the disks of a frame beside its neighbour, as a pass over the scan does.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/frame_disks.h"

#include <fmt/format.h>

#include "domain/crystal/detect/collect.h"
#include "domain/crystal/detect/sample.h"
#include "domain/crystal/detect/scan_setup.h"
#include "kernel/planes/tile.h"
#include "store/plan.h"

namespace sluice::crystal {
namespace {

struct Pair {
    std::vector<index> frames;  // one or two
    std::size_t own = 0;        // which of them was asked for
};

// A pattern's bits depend on the one that is transformed with it: the next, or the one before, of
// those that were measured in its unit.
Pair pair_of(store::Plan const& plan, index frame) {
    index const first = frame / planes::tile_frames * planes::tile_frames;
    index const last = std::min(first + planes::tile_frames, plan.frames());
    std::vector<index> measured;
    std::size_t at = 0;
    for (index f = first; f < last; ++f) {
        if (f == frame) at = measured.size();
        if (plan.lost.empty() || !plan.lost[static_cast<std::size_t>(f)]) measured.push_back(f);
    }
    std::size_t const from = at / 2 * 2, to = std::min(from + 2, measured.size());
    return {{measured.begin() + static_cast<std::ptrdiff_t>(from),
             measured.begin() + static_cast<std::ptrdiff_t>(to)},
            at - from};
}

}  // namespace

Result<FrameFinder> FrameFinder::make(Scan const& scan, stem4d::DiskSetup const& setup,
                                      Device const& device) {
    auto bad = weightless(scan);
    SLUICE_TRY(FinderSetup const own, setup_for(scan, setup, bad));
    SLUICE_TRY(Finder finder, Finder::make(own, device.host()));
    return FrameFinder(std::move(bad), std::move(finder));
}

Result<stem4d::BraggVectors> FrameFinder::find(Scan const& scan, index row, index col) const {
    auto const shape = scan.scan_shape();
    store::Plan const& plan = scan.plan();
    if (row < 0 || col < 0 || row >= shape[0] || col >= shape[1])
        return Error{Code::invalid_argument,
                     fmt::format("there is no scan point at row {}, column {} (the scan is {}x{}) "
                                 "give one that is there",
                                 row, col, shape[0], shape[1])};
    index const frame = row * shape[1] + col;
    FoundPattern found[2];
    std::size_t own = 0;
    if (plan.lost.empty() || !plan.lost[static_cast<std::size_t>(frame)]) {
        Pair const pair = pair_of(plan, frame);
        own = pair.own;
        Finder::Room room(finder_);
        for (std::size_t i = 0; i < pair.frames.size(); ++i) {
            SLUICE_TRY(auto const counts,
                       stem4d::frame(scan, pair.frames[i] / shape[1], pair.frames[i] % shape[1]));
            finder_.put(room, static_cast<int>(i), counts.values.data(), pair.frames[i]);
        }
        finder_.find(room, std::span(found).first(pair.frames.size()));
    }
    return collect(std::span(found).subspan(own, 1), {1, 1}, {plan.stored.rows, plan.stored.cols},
                   stem4d::pixel_grid(scan));
}

}  // namespace sluice::crystal
