// Values of a scan as arrays have them.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/run.h"
#include "device/workers.h"
#include "scan/describe.h"
#include "scan/frame_copier.h"
#include "sluice/scan_values.h"

namespace sluice {
namespace {

Status check(Scan const& scan, std::span<index const> frames, Region const& part,
             std::size_t bytes) {
    store::Plan const& plan = scan.plan();
    for (index const f : frames)
        if (f < 0 || f >= plan.frames())
            return Error{Code::invalid_argument,
                         fmt::format("frame {} (the scan has {}x{}, numbered from 0)", f,
                                     plan.scan[0], plan.scan[1])};
    if (part.row < 0 || part.col < 0 || part.rows < 0 || part.cols < 0 ||
        part.rows > plan.rows - part.row || part.cols > plan.cols - part.col)
        return Error{Code::invalid_argument,
                     fmt::format("{}x{} pixels from row {}, column {} on (the detector has {}x{})",
                                 part.rows, part.cols, part.row, part.col, plan.rows, plan.cols)};
    if (bytes !=
        static_cast<std::size_t>(std::ssize(frames) * part.rows * part.cols * size_of(plan.dtype)))
        return Error{Code::invalid_argument,
                     fmt::format("{} bytes for {} frames of {}x{} {} pixels", bytes, frames.size(),
                                 part.rows, part.cols, name_of(plan.dtype))};
    return {};
}

}  // namespace

Status read_frames(Scan const& scan, std::span<index const> frames, Region const& part,
                   std::span<std::byte> out, Progress const& progress,
                   std::vector<std::string>* notes) {
    SLUICE_CHECK(check(scan, frames, part, out.size()));
    std::vector<FramePlace> places;
    places.reserve(frames.size());
    for (index i = 0; i < std::ssize(frames); ++i)
        places.push_back({frames[static_cast<std::size_t>(i)], i});
    std::ranges::sort(places, {}, &FramePlace::frame);
    std::vector<std::size_t> begins;  // of the places in one unit
    for (std::size_t i = 0; i < places.size(); ++i)
        if (i == 0 ||
            places[i].frame / planes::tile_frames != places[i - 1].frame / planes::tile_frames)
            begins.push_back(i);
    begins.push_back(places.size());

    int const threads = scan.options().device.host().threads();
    std::vector<std::optional<FrameCopier>> copiers(static_cast<std::size_t>(std::max(1, threads)));
    Run run(progress, std::ssize(places));
    parallel_for(std::ssize(begins) - 1, threads, 1, [&](index unit, int worker) {
        if (run.stopped()) return;
        auto& copier = copiers[static_cast<std::size_t>(worker)];
        if (!copier) copier.emplace(scan, part);
        auto const u = static_cast<std::size_t>(unit);
        auto const some = std::span(places).subspan(begins[u], begins[u + 1] - begins[u]);
        if (Status copied = copier->copy(some, out.data()); !copied)
            return run.fail(std::move(copied).error(), unit);
        run.done(std::ssize(some));
    });
    run.report();
    store::Tally tally;
    for (auto const& copier : copiers)
        if (copier) tally.merge(copier->tally());
    if (notes) fold::describe(tally, scan.dataset(), *notes);
    return run.status();
}

}  // namespace sluice
