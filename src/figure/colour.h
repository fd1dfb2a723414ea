// Colours: 8-bit sRGB, and OKLCH, in which equal steps look equal.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace sluice::figure {

struct Rgb {
    std::uint8_t r = 0, g = 0, b = 0;
    bool operator==(Rgb const&) const = default;
};

/// B. Ottosson's OKLab: lightness 0 to 1, and the two opponent axes.
struct Lab {
    double l = 0, a = 0, b = 0;
};

/// Lightness 0 to 1, chroma 0 to about 0.3, hue in degrees.
Lab lab_of(double lightness, double chroma, double hue);
Lab lab_of(Rgb colour);

/// The nearest sRGB colour of the same lightness and hue: the chroma gives way.
Rgb rgb_of(Lab lab);

}  // namespace sluice::figure
