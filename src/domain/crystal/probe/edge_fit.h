// Fits the edge of a disk, its radius, width and harmonics, to one image or to many.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "domain/crystal/away.h"
#include "sluice/probe_template.h"

namespace sluice::crystal {

/// A pattern [row][col] with the disk's centre, in its own pixels, and its brightness over that of
/// the others.
struct DiskImage {
    float const* counts;
    stem4d::Point center;
    double scale = 1;
};

/// Images of one shape and disk.
struct DiskImages {
    std::array<index, 2> shape{};
    std::span<std::uint8_t const> bad = {};  ///< [row][col]; empty: none
    index bin = 1;                           ///< detector pixels to a pixel
    std::vector<DiskImage> images = {};
};

struct EdgeFit {
    stem4d::ProbeTemplate probe;  ///< in pixels of the detector
    stem4d::Point center;         ///< of the first image
    double height = 0, background = 0, slope_row = 0, slope_col = 0;
    double radius_error = 0, edge_width_error = 0;
    double residual = 0;  ///< rms of image less fit, over the height
    double uneven = 0;    ///< what is left of it without the noise of counts

    /// What lies under the disk at a place relative to the centre, in detector pixels.
    double under(double row, double col) const {
        return background + slope_row * row + slope_col * col;
    }
};

/// From a start of such radius. The centre of a single image is found, too; those of many stay.
/// Fails where no edge can be told.
Result<EdgeFit> fit_edge(DiskImages const& images, double radius, int harmonics);

/// work(image, pixel, row, col) for the good pixels within `radius` of the centres; row and col are
/// relative to the centre. Lengths are in detector pixels.
template <class Work>
void each_pixel(DiskImages const& all, double radius, Work const& work) {
    auto const bin = static_cast<double>(all.bin), reach = radius / bin;
    for (DiskImage const& image : all.images) {
        auto const limit = [](double v, index n) {
            return std::clamp<index>(static_cast<index>(v), 0, n);
        };
        index const r1 = limit(image.center.row + reach + 1, all.shape[0]);
        index const c1 = limit(image.center.col + reach + 1, all.shape[1]);
        for (index r = limit(image.center.row - reach, all.shape[0]); r < r1; ++r)
            for (index c = limit(image.center.col - reach, all.shape[1]); c < c1; ++c) {
                auto const i = static_cast<std::size_t>(r * all.shape[1] + c);
                if ((!all.bad.empty() && all.bad[i]) || !std::isfinite(image.counts[i])) continue;
                double const row = bin * (static_cast<double>(r) - image.center.row);
                double const col = bin * (static_cast<double>(c) - image.center.col);
                if (away(row, col) <= radius) work(image, i, row, col);
            }
    }
}

}  // namespace sluice::crystal
