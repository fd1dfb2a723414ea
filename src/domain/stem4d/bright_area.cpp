// Floods the picture from a disk's inside.
// SPDX-License-Identifier: Apache-2.0
#include "domain/stem4d/bright_area.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sluice::stem4d {
namespace {

double distance(Disk const& d, index r, index c) {
    return std::hypot(static_cast<double>(r) - d.center.row, static_cast<double>(c) - d.center.col);
}

std::vector<double> within(Image const& image, Disk const& d, double radius) {
    std::vector<double> out;
    for (index r = 0; r < image.rows; ++r)
        for (index c = 0; c < image.cols; ++c)
            if (distance(d, r, c) <= radius) out.push_back(image.at(r, c));
    return out;
}

// Enough for a plateau to be in one piece, and too little to fill a gap beside a small disk.
Image calm(Image const& image, Disk const& d, double radius) {
    double sum = 0;
    std::vector<double> const inside = within(image, d, radius);
    for (double v : inside) sum += v;
    double const mean = std::max(0.0, sum / std::max(1.0, static_cast<double>(inside.size())));
    double const height = mean - quantile(smoothed(image, 2).v, 0.1);
    if (!(height > 0)) return image;
    double const needed = std::ceil((6 * std::sqrt(image.grain * mean) / height - 1) / 2);
    double const most = std::max(d.radius > 3 ? 1.0 : 0.0, d.radius / 5);
    return smoothed(image, static_cast<index>(std::clamp(needed, 0.0, most)));
}

// 1 where a pixel above the level is joined to those within the radius.
std::vector<std::uint8_t> flooded(Image const& image, Disk const& d, double radius, double level) {
    std::vector<std::uint8_t> wet(image.v.size());
    std::vector<index> shore;
    auto const reach = [&](index r, index c) {
        if (r < 0 || c < 0 || r >= image.rows || c >= image.cols || !(image.at(r, c) > level))
            return;
        index const pixel = r * image.cols + c;
        if (std::exchange(wet[static_cast<std::size_t>(pixel)], std::uint8_t{1}) == 0)
            shore.push_back(pixel);
    };
    for (index r = 0; r < image.rows; ++r)
        for (index c = 0; c < image.cols; ++c)
            if (distance(d, r, c) <= radius) reach(r, c);
    while (!shore.empty()) {
        index const r = shore.back() / image.cols, c = shore.back() % image.cols;
        shore.pop_back();
        reach(r - 1, c), reach(r + 1, c), reach(r, c - 1), reach(r, c + 1);
    }
    return wet;
}

}  // namespace

BrightArea bright_area(Image const& image, Disk const& d) {
    double const middle = std::max(0.6 * d.radius, 0.8);
    Image const smooth = calm(image, d, middle);
    double const level = (quantile(within(smooth, d, middle), 0.5) + quantile(smooth.v, 0.1)) / 2;
    std::vector<std::uint8_t> const wet = flooded(smooth, d, 0.6 * d.radius + 0.8, level);
    auto const is_wet = [&](index r, index c) {
        return wet[static_cast<std::size_t>(r * smooth.cols + c)] != 0;
    };
    double area = 0, pairs = 0, lone = 0;
    for (index r = 0; r < smooth.rows; ++r)
        for (index c = 0; c < smooth.cols; ++c) {
            if (!is_wet(r, c)) continue;
            ++area;
            auto const y = static_cast<index>(std::lround(2 * d.center.row)) - r;
            auto const x = static_cast<index>(std::lround(2 * d.center.col)) - c;
            if (y < 0 || x < 0 || y >= smooth.rows || x >= smooth.cols) continue;
            ++pairs;
            lone += !is_wet(y, x);
        }
    auto const own = static_cast<double>(within(smooth, d, d.radius).size());
    return {area / std::max(1.0, own), pairs > 0 ? lone / pairs : 0};
}

}  // namespace sluice::stem4d
