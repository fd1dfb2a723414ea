// Fits circles to the half height of an edge along rays, and judges what was fitted.
// SPDX-License-Identifier: Apache-2.0
#include "domain/stem4d/disk_edge.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "domain/stem4d/circle_fit.h"

namespace sluice::stem4d {
namespace {

constexpr double turn = 2 * std::numbers::pi;

struct Ray {
    double row, col;  // of its direction
};

std::vector<Ray> rays_for(double radius) {
    auto const n = static_cast<int>(std::clamp(turn * radius, 36.0, 360.0));
    std::vector<Ray> out;
    for (int i = 0; i < n; ++i) out.push_back({std::sin(turn * i / n), std::cos(turn * i / n)});
    return out;
}

// The values on rays between two radii, as far as they are on the detector.
std::vector<double> samples(Image const& image, Disk const& d, std::vector<Ray> const& rays,
                            double from, double to) {
    std::vector<double> out;
    for (double r = from; r <= to; r += 0.5)
        for (Ray const& ray : rays) {
            double const row = d.center.row + r * ray.row, col = d.center.col + r * ray.col;
            if (image.holds(row, col)) out.push_back(bilinear(image, row, col));
        }
    return out;
}

struct Levels {
    double inside = 0, outside = 0;
    double half() const { return (inside + outside) / 2; }
    double height() const { return inside - outside; }
};

// Neighbours may touch the disk, so that what lies between them is seen in a few directions only.
Levels levels_of(Image const& image, Disk const& d, std::vector<Ray> const& rays) {
    double const from = d.radius > 4 ? 0.5 : 0, to = d.radius > 4 ? 0.85 : 0.6;
    return {quantile(samples(image, d, rays, from * d.radius, to * d.radius), 0.5),
            quantile(samples(image, d, rays, 1.1 * d.radius + 1, 1.4 * d.radius + 2), 0.15)};
}

struct EdgePoint {
    std::size_t ray;
    Point place;
};

// On every ray the place nearest to the circle where the picture falls through a level.
std::vector<EdgePoint> edge_points(Image const& image, Disk const& d, std::vector<Ray> const& rays,
                                   double level) {
    std::vector<EdgePoint> out;
    double const from = 0.6 * d.radius - 1, to = 1.4 * d.radius + 2;
    for (std::size_t i = 0; i < rays.size(); ++i) {
        constexpr double step = 0.25;
        double nearest = 1e300, before = -1e300;
        for (double s = std::max(0.0, from); s <= to; s += step) {
            double const row = d.center.row + s * rays[i].row, col = d.center.col + s * rays[i].col;
            if (!image.holds(row, col)) break;  // here the disk leaves the detector
            double const now = bilinear(image, row, col);
            if (before > level && now <= level) {
                double const at = s - step * (level - now) / (before - now);
                if (std::abs(at - d.radius) < std::abs(nearest - d.radius)) nearest = at;
            }
            before = now;
        }
        if (nearest < 1e299)
            out.push_back(
                {i, {d.center.row + nearest * rays[i].row, d.center.col + nearest * rays[i].col}});
    }
    return out;
}

// The noise of single pixels of the disk, and of what is around it.
double noise_of(Image const& image, Levels const& levels) {
    return std::sqrt(image.grain * std::max({levels.inside, levels.outside, 0.0}));
}

double filled_part(Image const& image, Disk const& d, std::vector<Ray> const& rays, double level) {
    index bright = 0, all = 0;
    for (double r = 0.5; r < 0.85 * d.radius; r += std::max(0.5, d.radius / 40))
        for (Ray const& ray : rays) {
            double const row = d.center.row + r * ray.row, col = d.center.col + r * ray.col;
            if (!image.holds(row, col)) continue;
            // Rays are dense at the centre: weighted by area.
            auto const weight = static_cast<index>(100 * r / d.radius) + 1;
            bright += bilinear(image, row, col) > level ? weight : 0;
            all += weight;
        }
    return all > 0 ? static_cast<double>(bright) / static_cast<double>(all) : 0;
}

struct Seen {
    double part = 0;
    double widest_gap = 1;  // part of a turn without an edge
};

Seen seen_part(Image const& image, Disk const& d, std::vector<Ray> const& rays,
               std::vector<EdgePoint> const& points, double tolerance) {
    std::vector<std::uint8_t> seen(rays.size());
    // About the fitted centre, which is not quite the one the rays began at.
    auto const n = static_cast<double>(rays.size());
    for (EdgePoint const& p : points) {
        double const row = p.place.row - d.center.row, col = p.place.col - d.center.col;
        if (std::abs(std::hypot(row, col) - d.radius) > tolerance) continue;
        double const angle = std::atan2(row, col) / turn;
        auto const ray = static_cast<std::size_t>(std::lround((angle + 1) * n)) % rays.size();
        seen[ray] = 1;
    }
    std::size_t possible = 0, there = 0, gap = 0, widest = 0;
    for (std::size_t i = 0; i < 2 * rays.size(); ++i) {
        std::size_t const k = i % rays.size();
        gap = seen[k] ? 0 : gap + 1;
        widest = std::max(widest, gap);
        if (i >= rays.size()) continue;
        bool const on = image.holds(d.center.row + (d.radius + 0.5) * rays[k].row,
                                    d.center.col + (d.radius + 0.5) * rays[k].col);
        possible += on || seen[k];
        there += seen[k];
    }
    if (possible == 0) return {};
    return {static_cast<double>(there) / static_cast<double>(possible),
            std::min(1.0, static_cast<double>(widest) / n)};
}

struct Calm {
    Image image;
    double doubt = 0;  // of an edge's place, in pixels
};

// As much smoothing as the noise needs, and no more than the curvature bears.
Calm calmed(Image const& image, Disk const& d) {
    auto const most = static_cast<index>(std::max(d.radius > 3 ? 1.0 : 0.0, d.radius / 6));
    std::vector<Ray> const rays = rays_for(d.radius);
    Image const strongly = smoothed(image, most);
    Levels const levels = levels_of(strongly, d, rays);
    double const height = levels.height(), noise = noise_of(image, levels);
    if (!(height > 0)) return {strongly, 0};
    auto const needed = static_cast<index>(std::min(1e6, std::ceil((8 * noise / height - 1) / 2)));
    index const reach = std::clamp<index>(needed, 0, most);
    double const side = static_cast<double>(2 * reach + 1);
    return {smoothed(image, reach), noise / side / height * (side + 1) / 2};
}

double significance_of(Image const& image, Disk const& d, Levels const& levels) {
    double const pixels = std::max(1.0, std::numbers::pi * d.radius * d.radius);
    double const noise = noise_of(image, levels) * std::sqrt(2 / pixels);
    return noise > 0 ? levels.height() / noise : 1e9;
}

// What of the picture the rays can reach, and where it begins.
struct Surroundings {
    Image image = {};
    Point corner = {};
};

Surroundings around(Image const& image, Disk const& d) {
    auto const reach = static_cast<index>(4 * d.radius + 12);
    auto const row = static_cast<index>(std::lround(d.center.row));
    auto const col = static_cast<index>(std::lround(d.center.col));
    index const top = std::clamp<index>(row - reach, 0, image.rows - 1);
    index const left = std::clamp<index>(col - reach, 0, image.cols - 1);
    index const rows = std::clamp<index>(row + reach + 1, top + 1, image.rows) - top;
    index const cols = std::clamp<index>(col + reach + 1, left + 1, image.cols) - left;
    Surroundings out{{rows, cols, {}, image.grain},
                     {static_cast<double>(top), static_cast<double>(left)}};
    for (index r = top; r < top + rows; ++r) {
        double const* const line = image.v.data() + r * image.cols + left;
        out.image.v.insert(out.image.v.end(), line, line + cols);
    }
    return out;
}

std::optional<Edge> edge_in(Image const& image, Disk const& rough) {
    Edge edge;
    edge.disk = rough;
    Calm const calm = calmed(image, rough);
    auto const largest = static_cast<double>(std::max(image.rows, image.cols));
    std::vector<Ray> rays;
    for (int round = 0; round < 4; ++round) {
        rays = rays_for(edge.disk.radius);
        Levels const levels = levels_of(calm.image, edge.disk, rays);
        if (!(levels.height() > 0)) return {};
        std::vector<EdgePoint> const points =
            edge_points(calm.image, edge.disk, rays, levels.half());
        std::vector<Point> places;
        for (EdgePoint const& p : points) places.push_back(p.place);
        double const tolerance = 0.3 + 0.02 * edge.disk.radius + 2.5 * calm.doubt;
        Disk const fitted = fit_circle(places, tolerance, largest);
        if (!(fitted.radius > 0) || fitted.radius < 0.5 * rough.radius ||
            fitted.radius > 2 * rough.radius ||
            std::hypot(fitted.center.row - rough.center.row, fitted.center.col - rough.center.col) >
                rough.radius + 2)
            return {};
        Seen const seen = seen_part(calm.image, fitted, rays, points, tolerance);
        if (seen.widest_gap > 0.75) return {};
        edge.disk = fitted, edge.seen = seen.part;
    }
    Levels const levels = levels_of(calm.image, edge.disk, rays);
    edge.height = levels.height();
    edge.filled = filled_part(calm.image, edge.disk, rays, levels.inside - 0.3 * levels.height());
    edge.significance = significance_of(image, edge.disk, levels);
    return edge;
}

}  // namespace

std::optional<Edge> edge_near(Image const& image, Disk const& rough) {
    auto const [near, corner] = around(image, rough);
    auto edge = edge_in(
        near, {{rough.center.row - corner.row, rough.center.col - corner.col}, rough.radius});
    if (!edge) return {};
    edge->disk.center.row += corner.row, edge->disk.center.col += corner.col;
    return edge;
}

}  // namespace sluice::stem4d
