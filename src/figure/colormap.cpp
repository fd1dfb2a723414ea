// The maps: a few control points each, interpolated in OKLab.
// SPDX-License-Identifier: Apache-2.0
#include "figure/colormap.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>

namespace sluice::figure {
namespace {

struct Tint {
    double chroma, hue;  // hue in degrees
};

constexpr Tint ember[] = {{0.02, 285}, {0.115, 295}, {0.175, 345},
                          {0.19, 28},  {0.165, 68},  {0.10, 107}};
constexpr Tint dusk[] = {{0.02, 285}, {0.125, 288}, {0.175, 318},
                         {0.19, 0},   {0.14, 42},   {0.06, 100}};
constexpr Tint meadow[] = {{0.13, 318}, {0.11, 268}, {0.10, 205}, {0.155, 150}, {0.185, 105}};

/// A Catmull-Rom spline through the tints at even distances; the lightness is straight.
Lab along(std::span<Tint const> tints, double dark, double light, double t) {
    auto const at = [&](std::ptrdiff_t i) {
        auto const last = static_cast<std::ptrdiff_t>(tints.size()) - 1;
        Tint const c = tints[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(i, 0, last))];
        return lab_of(0, c.chroma, c.hue);
    };
    double const x = t * static_cast<double>(tints.size() - 1);
    auto const i =
        std::min(static_cast<std::ptrdiff_t>(x), static_cast<std::ptrdiff_t>(tints.size()) - 2);
    double const u = x - static_cast<double>(i);
    auto const spline = [u](double p, double q, double r, double s) {
        return q + u / 2 * (r - p + u * (2 * p - 5 * q + 4 * r - s + u * (3 * (q - r) + s - p)));
    };
    Lab const p = at(i - 1), q = at(i), r = at(i + 1), s = at(i + 2);
    return {dark + (light - dark) * t, spline(p.a, q.a, r.a, s.a), spline(p.b, q.b, r.b, s.b)};
}

Lab balanced(double t) {
    double const side = std::abs(2 * t - 1);
    double const chroma = 0.19 * std::sin(side * std::numbers::pi / 2) * (1 - 0.15 * side);
    return lab_of(0.97 - 0.55 * side, chroma, t < 0.5 ? 257 : 27);
}

Rgb colour_of(Map map, double t) {
    switch (map) {
        case Map::gray: {
            auto const v = static_cast<std::uint8_t>(std::lround(255 * t));
            return {v, v, v};
        }
        case Map::ember:
            return rgb_of(along(ember, 0.06, 0.985, t));
        case Map::dusk:
            return rgb_of(along(dusk, 0.06, 0.985, t));
        case Map::meadow:
            return rgb_of(along(meadow, 0.27, 0.93, t));
        case Map::balance:
            return rgb_of(balanced(t));
        case Map::phase:
            return rgb_of(lab_of(0.74, 0.127, 360 * t + 25));
    }
    return no_data;
}

}  // namespace

Colormap::Colormap(Map map) {
    double const last = map == Map::phase ? 256 : 255;  // a cyclic map does not show its end twice
    for (std::size_t i = 0; i < table_.size(); ++i)
        table_[i] = colour_of(map, static_cast<double>(i) / last);
}

Rgb Colormap::operator()(double t) const {
    if (std::isnan(t)) return no_data;
    return table_[static_cast<std::size_t>(std::lround(255 * std::clamp(t, 0.0, 1.0)))];
}

Rgb vector_colour(double up, double right) {
    double const magnitude = std::hypot(up, right);
    if (!std::isfinite(magnitude)) return no_data;
    double const m = std::min(magnitude, 1.0);
    double const hue = std::atan2(up, right) * 180 / std::numbers::pi + 25;
    return rgb_of(lab_of(0.10 + 0.64 * m, 0.18 * m, hue));
}

}  // namespace sluice::figure
