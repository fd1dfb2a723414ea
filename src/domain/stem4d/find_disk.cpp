// Finds the bright-field disk: repair, half height, largest component, edge to a fraction of a
// pixel. SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numbers>

#include "domain/stem4d/circle_fit.h"

namespace sluice::stem4d {
namespace {

struct Image {
    index rows, cols;
    std::vector<double> v;
    double at(index r, index c) const { return v[static_cast<std::size_t>(r * cols + c)]; }
    double& at(index r, index c) { return v[static_cast<std::size_t>(r * cols + c)]; }
};

double median_of(std::vector<double>& v) {
    if (v.empty()) return 0;
    auto const middle = v.begin() + std::ssize(v) / 2;
    std::nth_element(v.begin(), middle, v.end());
    return *middle;
}

// Bad pixels, and single ones far above all around them, become the median of their neighbours.
Image repaired(Array<double> const& pattern, std::span<std::uint8_t const> bad) {
    Image out{pattern.shape[0], pattern.shape[1], pattern.values};
    std::vector<double> around;
    for (index r = 0; r < out.rows; ++r)
        for (index c = 0; c < out.cols; ++c) {
            around.clear();
            for (index reach = 1; around.empty() && reach <= 4; ++reach)
                for (index y = std::max<index>(0, r - reach);
                     y <= std::min(out.rows - 1, r + reach); ++y)
                    for (index x = std::max<index>(0, c - reach);
                         x <= std::min(out.cols - 1, c + reach); ++x) {
                        auto const p = static_cast<std::size_t>(y * out.cols + x);
                        if ((y != r || x != c) && (bad.empty() || !bad[p]))
                            around.push_back(pattern.values[p]);
                    }
            auto const p = static_cast<std::size_t>(r * out.cols + c);
            if (around.empty()) continue;
            double const most = *std::ranges::max_element(around);
            if ((!bad.empty() && bad[p]) || out.v[p] > 3 * most) out.v[p] = median_of(around);
        }
    return out;
}

// Means over 3x3 pixels: they do not move the half height of an edge.
Image smoothed(Image const& in) {
    Image out{in.rows, in.cols, std::vector<double>(in.v.size())};
    for (index r = 0; r < in.rows; ++r)
        for (index c = 0; c < in.cols; ++c) {
            double sum = 0;
            int n = 0;
            for (index y = std::max<index>(0, r - 1); y <= std::min(in.rows - 1, r + 1); ++y)
                for (index x = std::max<index>(0, c - 1); x <= std::min(in.cols - 1, c + 1);
                     ++x, ++n)
                    sum += in.at(y, x);
            out.at(r, c) = sum / n;
        }
    return out;
}

struct Component {
    std::vector<std::size_t> pixels;
    double total = 0;
};

Component brightest_component(Image const& image, double level) {
    std::vector<std::uint8_t> seen(image.v.size());
    Component best;
    for (std::size_t start = 0; start < image.v.size(); ++start) {
        if (seen[start] || image.v[start] <= level) continue;
        Component part;
        part.pixels.push_back(start);
        seen[start] = 1;
        for (std::size_t i = 0; i < part.pixels.size(); ++i) {
            std::size_t const p = part.pixels[i];
            part.total += image.v[p] - level;
            index const r = static_cast<index>(p) / image.cols,
                        c = static_cast<index>(p) % image.cols;
            for (auto [y, x] : {std::pair{r - 1, c}, {r + 1, c}, {r, c - 1}, {r, c + 1}}) {
                if (y < 0 || x < 0 || y >= image.rows || x >= image.cols) continue;
                auto const q = static_cast<std::size_t>(y * image.cols + x);
                if (seen[q] || image.v[q] <= level) continue;
                seen[q] = 1;
                part.pixels.push_back(q);
            }
        }
        if (part.total > best.total) best = std::move(part);
    }
    return best;
}

double bilinear(Image const& image, double row, double col) {
    double const r = std::clamp(row, 0.0, static_cast<double>(image.rows - 1));
    double const c = std::clamp(col, 0.0, static_cast<double>(image.cols - 1));
    auto const r0 = std::min(static_cast<index>(r), image.rows - 1);
    auto const c0 = std::min(static_cast<index>(c), image.cols - 1);
    index const r1 = std::min(r0 + 1, image.rows - 1), c1 = std::min(c0 + 1, image.cols - 1);
    double const fr = r - static_cast<double>(r0), fc = c - static_cast<double>(c0);
    return (1 - fr) * ((1 - fc) * image.at(r0, c0) + fc * image.at(r0, c1)) +
           fr * ((1 - fc) * image.at(r1, c0) + fc * image.at(r1, c1));
}

// Where rays from `from` pass below the level for good within the component's reach.
std::vector<Point> edge_points(Image const& image, Point from, double level, double reach) {
    constexpr int rays = 180;
    constexpr double step = 0.25;
    std::vector<Point> points;
    for (int i = 0; i < rays; ++i) {
        double const angle = 2 * std::numbers::pi * i / rays;
        double const dr = std::sin(angle), dc = std::cos(angle);
        double before = bilinear(image, from.row, from.col);
        for (double s = step; s <= reach; s += step) {
            double const row = from.row + s * dr, col = from.col + s * dc;
            if (row < 0 || col < 0 || row > static_cast<double>(image.rows - 1) ||
                col > static_cast<double>(image.cols - 1))
                break;  // the disk leaves the detector here: no edge to be seen
            double const now = bilinear(image, row, col);
            if (before > level && now <= level) {
                double const back = step * (level - now) / (before - now);
                points.push_back({row - back * dr, col - back * dc});
                break;
            }
            before = now;
        }
    }
    return points;
}

}  // namespace

Result<Disk> find_disk(Array<double> const& pattern, std::span<std::uint8_t const> bad) {
    Image const image = smoothed(repaired(pattern, bad));
    std::vector<double> sorted = image.v;
    double const background = median_of(sorted);
    double const peak = *std::ranges::max_element(image.v);
    Error const none{Code::not_found,
                     "no bright-field disk to be seen in the mean pattern (it is flat or empty); "
                     "give detectors with center= and r= instead of presets"};
    if (!(peak > 1.5 * background) || !(peak > 0)) return none;
    Component part = brightest_component(image, (background + peak) / 2);
    // The plateau's own height, which noise on the peak does not lift.
    std::vector<double> heights;
    for (std::size_t p : part.pixels) heights.push_back(image.v[p]);
    double const level = (background + median_of(heights)) / 2;
    part = brightest_component(image, level);
    if (part.pixels.empty()) return none;
    Point center;
    for (std::size_t p : part.pixels) {
        index const row = static_cast<index>(p) / image.cols;
        center.row += static_cast<double>(row);
        center.col += static_cast<double>(static_cast<index>(p) % image.cols);
    }
    auto const area = static_cast<double>(part.pixels.size());
    center.row /= area, center.col /= area;
    Disk const rough{center, std::sqrt(area / std::numbers::pi)};
    if (area > 0.9 * static_cast<double>(image.v.size())) return none;
    auto const largest = static_cast<double>(std::max(image.rows, image.cols));
    double const reach = std::min(largest, 4 * rough.radius + 2);
    Disk const fitted = fit_circle(edge_points(image, center, level, reach), 0.75, largest);
    // Below two pixels an edge has too few points; the area says more.
    return fitted.radius > 1.5 ? fitted : rough;
}

}  // namespace sluice::stem4d
