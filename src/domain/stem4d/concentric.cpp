// Finds detectors in a scan's tables.
// SPDX-License-Identifier: Apache-2.0
#include "domain/stem4d/concentric.h"

#include <algorithm>
#include <cmath>

#include "device/workers.h"
#include "store/plan.h"

namespace sluice::stem4d {
namespace {

bool near_whole(double radius) {
    return std::abs(radius - std::round(radius)) < 1e-9;
}

constexpr index piece = 8192;  // of frames that a worker takes at a time

void whole_sums(std::span<planes::Moment const> all, index first, std::span<double> out) {
    auto const moments = all.subspan(static_cast<std::size_t>(first), out.size());
    std::ranges::transform(moments, out.begin(),
                           [](planes::Moment const& m) { return static_cast<double>(m.sum); });
}

}  // namespace

std::vector<std::uint16_t> rings_about(Scan const& scan, Point center) {
    auto const shape = scan.detector_shape();
    PixelGrid const grid = pixel_grid(scan);
    std::vector<std::uint16_t> rings;
    rings.reserve(static_cast<std::size_t>(shape[0] * shape[1]));
    for (index r = 0; r < shape[0]; ++r)
        for (index c = 0; c < shape[1]; ++c) {
            Point const at = grid.to_detector({static_cast<double>(r), static_cast<double>(c)});
            double const distance = std::hypot(at.row - center.row, at.col - center.col);
            double const whole = std::round(distance);
            rings.push_back(static_cast<std::uint16_t>(std::min(
                near_whole(distance) ? 2 * whole : 2 * std::floor(distance) + 1, 65535.0)));
        }
    return rings;
}

WholeMask::WholeMask(store::Plan const& plan)
    : pixels_(static_cast<double>(plan.pixels() - std::ranges::count(plan.bad, std::uint8_t{1}))) {}

std::optional<Point> common_center(Scan const& scan, std::span<Detector const> detectors,
                                   Disk const& disk) {
    std::optional<Point> common;
    for (Detector const& given : detectors) {
        bool const is_annulus = given.shape == Detector::Shape::annulus;
        if (!is_annulus && given.shape != Detector::Shape::disk) return {};
        auto const d = in_pixels(given, scan, disk);
        if (!d || !near_whole(d->outer) || (is_annulus && !near_whole(d->inner))) return {};
        Point const at = d->center.value_or(disk.center);
        if (common && (common->row != at.row || common->col != at.col)) return {};
        common = at;
    }
    return common;
}

std::optional<std::vector<double>> sums_from_tables(ScanTables& tables, Scan const& scan,
                                                    std::span<Compiled const> detectors,
                                                    std::optional<Point> center,
                                                    ScanTables::Making const& how) {
    auto const plain = [](Compiled const& d) {
        return !d.weighted && d.offset == 0 && d.corrected.empty();
    };
    if (!std::ranges::all_of(detectors, plain)) return {};
    WholeMask const whole(scan.plan());
    std::shared_ptr<RingSums const> rings;
    if (!std::ranges::all_of(detectors, whole)) {
        if (center)
            rings = tables.rings({center->row, center->col}, how,
                                 [&] { return rings_about(scan, *center); });
        if (!rings) return {};
    }
    std::vector<std::array<index, 2>> borders(detectors.size());
    for (std::size_t d = 0; d < detectors.size(); ++d) {
        if (whole(detectors[d])) continue;
        auto const found = rings->borders(detectors[d].runs, how.device);
        if (!found) return {};
        borders[d] = *found;
    }
    Step const step(how.trace, Phase::tables, 0);
    bool const any_whole = std::ranges::any_of(detectors, whole);
    auto const moments = any_whole ? tables.moments() : std::span<planes::Moment const>();
    if (any_whole && moments.empty()) return {};
    if (rings) rings = tables.with(rings, borders);
    if (!rings && !std::ranges::all_of(detectors, whole)) return {};
    index const frames = scan.plan().frames(), pieces = (frames + piece - 1) / piece;
    std::vector<double> sums(detectors.size() * static_cast<std::size_t>(frames));
    parallel_for(std::ssize(detectors) * pieces, how.device.threads(), 1, [&](index i, int) {
        auto const d = static_cast<std::size_t>(i / pieces);
        index const first = i % pieces * piece;
        auto const out = std::span(sums).subspan(
            d * static_cast<std::size_t>(frames) + static_cast<std::size_t>(first),
            static_cast<std::size_t>(std::min(piece, frames - first)));
        if (whole(detectors[d]))
            whole_sums(moments, first, out);
        else
            rings->sums(borders[d], first, how.device, out);
    });
    return sums;
}

}  // namespace sluice::stem4d
