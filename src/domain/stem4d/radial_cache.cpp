// Cumulative radial images: disks of all whole radii about one centre, open and closed.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>

#include "sluice/stem4d.h"

namespace sluice::stem4d {

Result<RadialCache> RadialCache::build(Scan const& scan, Point center, Options const& options) {
    SLUICE_CHECK(refuse_references(options.references, "annuli of a cache are"));
    auto const shape = scan.detector_shape();
    RadialCache cache;
    cache.scan_ = scan.scan_shape();
    PixelGrid const grid = pixel_grid(scan);
    auto const ring_of = [&](index r, index c) {
        Point const at = grid.to_detector({static_cast<double>(r), static_cast<double>(c)});
        double const distance = std::hypot(at.row - center.row, at.col - center.col);
        double const whole = std::round(distance);
        // Ring 2k holds r == k, ring 2k + 1 the pixels between k and k + 1.
        return static_cast<index>(std::abs(distance - whole) < 1e-9 ? 2 * whole
                                                                    : 2 * std::floor(distance) + 1);
    };
    index rings = 0;
    for (index r = 0; r < shape[0]; ++r)
        for (index c = 0; c < shape[1]; ++c) rings = std::max(rings, ring_of(r, c) + 1);
    std::vector<Detector> detectors;
    for (index k = 0; k < rings; ++k) {
        Detector d;
        d.shape = Detector::Shape::mask;
        d.from = {static_cast<double>(shape[0]), static_cast<double>(shape[1])};
        d.pixels.resize(static_cast<std::size_t>(shape[0] * shape[1]));
        detectors.push_back(std::move(d));
    }
    for (index r = 0; r < shape[0]; ++r)
        for (index c = 0; c < shape[1]; ++c)
            detectors[static_cast<std::size_t>(ring_of(r, c))]
                .pixels[static_cast<std::size_t>(r * shape[1] + c)] = 1;
    // A ring without a valid pixel cannot be a detector, so its image is zero.
    std::vector<std::uint8_t> const bad = scan.bad_pixels();
    std::vector<std::ptrdiff_t> place(static_cast<std::size_t>(rings), -1);
    std::vector<Detector> there;
    for (std::size_t k = 0; k < detectors.size(); ++k) {
        bool some = false;
        for (std::size_t i = 0; i < bad.size(); ++i)
            some = some || (detectors[k].pixels[i] != 0 && !bad[i]);
        if (!some) continue;
        place[k] = std::ssize(there);
        there.push_back(std::move(detectors[k]));
    }
    SLUICE_TRY(VirtualImages const images, virtual_image(scan, there, options));
    auto const frames = static_cast<std::size_t>(cache.scan_[0] * cache.scan_[1]);
    bool const lacks = std::ranges::any_of(images.values.values, [](double v) { return v != v; });
    cache.below_.emplace_back(frames, 0.0);
    if (lacks) cache.rings_.emplace_back(frames);
    for (index k = 0; k < rings; ++k) {
        std::vector<double> next = cache.below_.back();
        std::vector<std::array<std::uint16_t, 2>> counted;
        if (lacks) counted = cache.rings_.back();
        if (auto const at = place[static_cast<std::size_t>(k)]; at >= 0) {
            double const* const ring =
                images.values.values.data() + static_cast<std::size_t>(at) * frames;
            for (std::size_t f = 0; f < frames; ++f) {
                bool const measured = ring[f] == ring[f];
                if (measured) next[f] += ring[f];
                if (lacks) ++counted[f][measured ? 0 : 1];
            }
        }
        cache.below_.push_back(std::move(next));
        if (lacks) cache.rings_.push_back(std::move(counted));
    }
    cache.largest_ = static_cast<int>((rings + 1) / 2);
    return cache;
}

Array<double> RadialCache::annulus(int inner, int outer) const {
    Array<double> out = Array<double>::zeros({scan_[0], scan_[1]});
    auto const last = static_cast<int>(below_.size()) - 1;
    auto const from = static_cast<std::size_t>(std::clamp(2 * inner, 0, last));
    auto const to = static_cast<std::size_t>(std::clamp(2 * outer + 1, 0, last));
    if (outer < inner) return out;
    for (std::size_t f = 0; f < out.values.size(); ++f) {
        out.values[f] = below_[to][f] - below_[from][f];
        if (rings_.empty()) continue;
        auto const &a = rings_[from][f], &b = rings_[to][f];
        if (b[0] == a[0] && b[1] > a[1]) out.values[f] = std::numeric_limits<double>::quiet_NaN();
    }
    return out;
}

}  // namespace sluice::stem4d
