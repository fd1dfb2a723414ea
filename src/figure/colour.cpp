// OKLab to sRGB and back. https://bottosson.github.io/posts/oklab (public domain)
// SPDX-License-Identifier: Apache-2.0
#include "figure/colour.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sluice::figure {
namespace {

using Linear = std::array<double, 3>;

Linear linear_of(Lab c) {
    auto const cube = [](double v) { return v * v * v; };
    double const l = cube(c.l + 0.3963377774 * c.a + 0.2158037573 * c.b);
    double const m = cube(c.l - 0.1055613458 * c.a - 0.0638541728 * c.b);
    double const s = cube(c.l - 0.0894841775 * c.a - 1.2914855480 * c.b);
    return {4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
            -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
            -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s};
}

bool displayable(Linear const& c) {
    constexpr double slack = 1e-4;
    return std::all_of(c.begin(), c.end(), [](double v) { return v >= -slack && v <= 1 + slack; });
}

std::uint8_t encoded(double linear) {
    double const v = std::clamp(linear, 0.0, 1.0);
    double const s = v <= 0.0031308 ? 12.92 * v : 1.055 * std::pow(v, 1 / 2.4) - 0.055;
    return static_cast<std::uint8_t>(std::lround(255 * s));
}

double decoded(std::uint8_t v) {
    double const s = v / 255.0;
    return s <= 0.04045 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4);
}

}  // namespace

Lab lab_of(double lightness, double chroma, double hue) {
    double const angle = hue * std::numbers::pi / 180;
    return {lightness, chroma * std::cos(angle), chroma * std::sin(angle)};
}

Lab lab_of(Rgb colour) {
    double const r = decoded(colour.r), g = decoded(colour.g), b = decoded(colour.b);
    double const l = std::cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
    double const m = std::cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
    double const s = std::cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
    return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
            1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
            0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

Rgb rgb_of(Lab lab) {
    double inside = 1, outside = 1;
    if (!displayable(linear_of(lab))) {
        inside = 0;
        for (int step = 0; step < 20; ++step) {
            double const middle = (inside + outside) / 2;
            bool const good = displayable(linear_of({lab.l, middle * lab.a, middle * lab.b}));
            (good ? inside : outside) = middle;
        }
    }
    Linear const c = linear_of({lab.l, inside * lab.a, inside * lab.b});
    return {encoded(c[0]), encoded(c[1]), encoded(c[2])};
}

}  // namespace sluice::figure
