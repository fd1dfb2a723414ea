// Colour maps: numbers from 0 to 1 as colours.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "figure/colour.h"

namespace sluice::figure {

/// The first four grow evenly in lightness.
enum class Map : std::uint8_t {
    gray,     ///< black to white
    ember,    ///< black, purple, orange, pale yellow; in the manner of inferno
    dusk,     ///< black, violet, rose, cream; in the manner of magma
    meadow,   ///< purple, blue, green, yellow; in the manner of viridis
    balance,  ///< signed: blue below, white at, red above the middle
    phase,    ///< cyclic: equally light, once around the hues
};

/// A map worked out at 256 places.
class Colormap {
  public:
    explicit Colormap(Map map);
    /// `t` is clamped to 0 to 1; NaN has the colour `no_data`.
    Rgb operator()(double t) const;

  private:
    std::array<Rgb, 256> table_;
};

/// The colour of NaN: a gray that leans to blue.
constexpr Rgb no_data{88, 98, 112};

/// Direction as hue and magnitude (0 to 1) as brightness: `up` and `right` are the components on
/// the screen. NaN has the colour `no_data`.
Rgb vector_colour(double up, double right);

}  // namespace sluice::figure
