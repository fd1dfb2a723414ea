// Looks for bright circles of all sizes by the contrast of their rims.
// SPDX-License-Identifier: Apache-2.0
#include "domain/stem4d/disk_candidates.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sluice::stem4d {
namespace {

constexpr double smallest = 1.5, step = 1.15;  // radii, in pixels of a level

struct Candidate {
    Disk disk;
    double contrast = 0;
};

struct Offset {
    index row, col;
};

std::vector<Offset> ring(double from, double to) {
    std::vector<Offset> out;
    auto const reach = static_cast<index>(std::ceil(to));
    for (index r = -reach; r <= reach; ++r)
        for (index c = -reach; c <= reach; ++c) {
            double const d = std::hypot(static_cast<double>(r), static_cast<double>(c));
            if (d > from && d <= to) out.push_back({r, c});
        }
    return out;
}

// The mean over the part of a ring that lies on the detector; empty where that is small.
struct Mean {
    double value = 0, variance = 0;  // of the mean, by its counts
};
std::optional<Mean> mean_on(Image const& image, std::vector<Offset> const& ring, index r, index c,
                            double least) {
    double sum = 0;
    index n = 0;
    for (Offset const o : ring) {
        index const y = r + o.row, x = c + o.col;
        if (y < 0 || x < 0 || y >= image.rows || x >= image.cols) continue;
        sum += image.at(y, x);
        ++n;
    }
    if (static_cast<double>(n) < least * static_cast<double>(ring.size())) return {};
    double const mean = sum / static_cast<double>(n);
    return Mean{mean, image.grain * std::max(0.0, mean) / static_cast<double>(n)};
}

// Whether there is no rim to be seen: cheap, and true in most places.
bool is_even(Image const& near, index r, index c, double radius) {
    auto const straight = static_cast<index>(std::lround(radius + 1));
    auto const aslant = static_cast<index>(std::lround((radius + 1) * std::numbers::sqrt2 / 2));
    double least = near.at(r, c);
    double const enough = 0.93 * least;
    for (auto [y, x] :
         {std::pair{straight, index{0}}, {index{0}, straight}, {aslant, aslant}, {aslant, -aslant}})
        for (index const sign : {-1, 1}) {
            index const row = r + sign * y, col = c + sign * x;
            if (row >= 0 && col >= 0 && row < near.rows && col < near.cols)
                least = std::min(least, near.at(row, col));
        }
    return least > enough;
}

// The contrast of circles of one radius at every centre whose surroundings are bright enough.
Image contrast_of(Image const& image, double radius, double dark) {
    auto const inner = ring(std::max(-1.0, radius - 2), std::max(1.0, radius - 0.5));
    auto const outer = ring(radius + 0.5, radius + 2);
    Image const near = smoothed(image, static_cast<index>(std::max(1.0, radius * 0.7)));
    Image out{image.rows, image.cols, std::vector<double>(image.v.size())};
    for (index r = 0; r < image.rows; ++r)
        for (index c = 0; c < image.cols; ++c) {
            if (near.at(r, c) <= dark || is_even(near, r, c, radius)) continue;
            auto const in = mean_on(image, inner, r, c, 0.3);
            if (!in || in->value <= dark) continue;
            auto const around = mean_on(image, outer, r, c, 0.12);
            if (!around) continue;
            // Noise alone does not count as contrast.
            double const noise = std::sqrt(in->variance + around->variance);
            out.at(r, c) = std::max(0.0, in->value - around->value - 4 * noise);
        }
    return out;
}

void add_maxima(Image const& contrast, double radius, double scale, std::vector<Candidate>& out) {
    std::vector<Candidate> found;
    for (index r = 0; r < contrast.rows; ++r)
        for (index c = 0; c < contrast.cols; ++c) {
            double const v = contrast.at(r, c);
            if (v <= 0) continue;
            bool most = true;
            for (index y = std::max<index>(0, r - 1); y <= std::min(contrast.rows - 1, r + 1); ++y)
                for (index x = std::max<index>(0, c - 1); x <= std::min(contrast.cols - 1, c + 1);
                     ++x)
                    most = most && contrast.at(y, x) <= v;
            if (!most) continue;
            auto const place = [&](index i) {
                return (static_cast<double>(i) + 0.5) * scale - 0.5;
            };
            found.push_back({{{place(r), place(c)}, radius * scale}, v});
        }
    std::ranges::sort(found, std::greater<>{}, &Candidate::contrast);
    found.resize(std::min<std::size_t>(found.size(), 16));
    out.insert(out.end(), found.begin(), found.end());
}

bool alike(Disk const& a, Disk const& b) {
    double const larger = std::max(a.radius, b.radius), smaller = std::min(a.radius, b.radius);
    return larger < 1.3 * smaller &&
           std::hypot(a.center.row - b.center.row, a.center.col - b.center.col) < 0.5 * larger;
}

}  // namespace

std::vector<Disk> disk_candidates(Image const& image) {
    std::vector<Candidate> all;
    Image level = image;
    double scale = 1;
    for (bool last = false; !last; scale *= 2) {
        index const side = std::max(level.rows, level.cols);
        last = side <= 48;
        double const most = last ? 0.65 * static_cast<double>(side) : 5.2;
        double const background = quantile(level.v, 0.05);
        // Not the very brightest: a few pixels may be hot.
        auto const pixels = static_cast<double>(level.v.size());
        double const peak = quantile(level.v, std::max(0.0, 1 - 4 / pixels));
        for (double radius = scale > 1 ? 2.6 : smallest; radius <= most; radius *= step)
            add_maxima(contrast_of(level, radius, background + 0.2 * (peak - background)), radius,
                       scale, all);
        level = halved(level);
    }
    std::ranges::stable_sort(all, std::greater<>{}, &Candidate::contrast);
    std::vector<Disk> out;
    for (Candidate const& c : all) {
        if (c.contrast < 0.25 * all.front().contrast || out.size() == 24) break;
        if (std::ranges::none_of(out, [&](Disk const& d) { return alike(d, c.disk); }))
            out.push_back(c.disk);
    }
    return out;
}

}  // namespace sluice::stem4d
