// Polar: the rings and angular frequencies in which the spots of a pattern are compared.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iterator>
#include <vector>

#include "sluice/view.h"

namespace sluice::orient {

/// Turns of a pattern that are tried, over 360 degrees.
inline constexpr index azimuths = 128;
/// Frequencies above would be other ones on so many azimuths.
inline constexpr index most_frequencies = azimuths / 2;
/// Maxima are looked for in each of these parts of a turn.
inline constexpr index sectors = 4;
/// Patterns that are searched side by side.
inline constexpr index lanes_of_patterns = 16;
/// Zones that are searched together.
inline constexpr index zones_of_tile = 4;

/// What the kernels read of a Polar.
struct PolarView {
    float width;
    index rings, frequencies, terms, spectrum_floats;
    index const* first_ring;      ///< [frequency]
    index const* frequencies_of;  ///< [ring]
    float const* smooth;          ///< [term]
};

/// Spots are alike as far as Gaussians of this width about them overlap: exp(-d^2 / (2 width^2)).
/// Rings are a width apart, and so the overlap is the sum of products on the rings to 1.4 %. The
/// n-th of them has the radius n + 1 widths. Frequency f has the rings from first_ring[f] on:
/// along smaller ones Gaussians are too wide for it. A term is a ring of a frequency; it has a
/// factor, `smooth`, of a Gaussian's width along the ring.
class Polar {
  public:
    /// Spots up to `most_radius` are seen. At least one ring.
    Polar(double width, double most_radius);

    double width() const { return width_; }
    index rings() const { return std::ssize(frequencies_of_); }
    index frequencies() const { return std::ssize(first_ring_); }
    index terms() const { return std::ssize(smooth_); }
    /// Of a spectrum, [term][re, im] and zeros behind: a multiple of 16.
    index spectrum_floats() const { return (2 * terms() + 15) / 16 * 16; }
    PolarView view() const;

  private:
    double width_;
    std::vector<index> frequencies_of_, first_ring_;
    std::vector<float> smooth_;
};

/// Of two spectra, both of length 1: 1 where their spots are the same.
float overlap(Polar const& polar, float const* a, float const* b);

}  // namespace sluice::orient
