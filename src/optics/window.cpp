// Cutting and padding.
// SPDX-License-Identifier: Apache-2.0
#include "optics/window.h"

#include <algorithm>
#include <cmath>

#include "fft/frequency.h"
#include "fft/squares/roots.h"

namespace sluice::optics {

namespace {

// `place` is where zero, of what reaches from -size / 2 on, lies in the window.
template <class Frequency>
std::vector<index> window_pixels(std::array<index, 2> detector, index size, index& cut,
                                 Frequency const& frequency, index place = 0) {
    std::vector<index> from(static_cast<std::size_t>(size * size), -1);
    cut = 0;
    for (index r = 0; r < detector[0]; ++r)
        for (index c = 0; c < detector[1]; ++c) {
            index const y = frequency(r, 0), x = frequency(c, 1);
            if (y < -size / 2 || y >= size - size / 2 || x < -size / 2 || x >= size - size / 2) {
                ++cut;
                continue;
            }
            from[static_cast<std::size_t>((y + place + size) % size * size +
                                          (x + place + size) % size)] = r * detector[1] + c;
        }
    return from;
}

}  // namespace

index size_of_window(index wanted, std::array<index, 2> detector) {
    if (wanted > 0) return wanted;
    index const side = std::max(detector[0], detector[1]);
    for (index fast : fft::square_sides)
        if (fast >= side) return fast;
    return side + side % 2;
}

std::vector<index> pixels_from(std::array<index, 2> detector, std::array<double, 2> center,
                               index size, index& cut) {
    index const middle[] = {static_cast<index>(std::lround(center[0])),
                            static_cast<index>(std::lround(center[1]))};
    return window_pixels(detector, size, cut, [&](index i, int axis) { return i - middle[axis]; });
}

std::vector<index> pixels_from_corners(std::array<index, 2> detector, index size, index& cut) {
    return window_pixels(detector, size, cut, [&](index i, int axis) {
        return fft::frequency(i, detector[static_cast<std::size_t>(axis)]);
    });
}

std::vector<index> pixels_of_image(std::array<index, 2> detector, index size, index& cut) {
    return window_pixels(
        detector, size, cut,
        [&](index i, int axis) { return i - detector[static_cast<std::size_t>(axis)] / 2; },
        size / 2);
}

}  // namespace sluice::optics
