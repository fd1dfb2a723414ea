// Pictures of every kind of pixel, for the tests of JPEG XR.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstring>
#include <random>

#include "jxrlib/jxrlib.h"

namespace sluice::codec::jxrtest {

enum class Kind { noise, gradient, texture, flat };

/// Pixels of one kind, made from nothing but their place.
struct Picture {
    Picture(jxrlib::Pixels kind_of_pixel, index columns, index rows, Kind kind)
        : as(kind_of_pixel),
          width(columns),
          height(rows),
          pixels(static_cast<std::size_t>(columns * rows * jxrlib::bytes_per_pixel(as))) {
        using jxrlib::Pixels;
        bool const is_float =
            as == Pixels::gray_float || as == Pixels::rgb_float96 || as == Pixels::rgba_float128;
        bool const is_half = as == Pixels::gray_half || as == Pixels::rgb_half48;
        bool const is_wide =
            is_half || as == Pixels::gray16 || as == Pixels::rgb48 || as == Pixels::rgba64;
        index const bytes = is_float ? 4 : is_wide ? 2 : 1;
        index const samples = jxrlib::bytes_per_pixel(as) / bytes;
        std::mt19937 random(20261121);
        std::byte* to = pixels.data();
        for (index y = 0; y < height; ++y)
            for (index x = 0; x < width; ++x)
                for (index c = 0; c < samples; ++c, to += bytes) {
                    double const v = value(kind, y, x, c, random());
                    if (is_float) {
                        // Numbers of both signs and zeros.
                        auto const number = static_cast<float>(v < 0.1 ? 0 : 4 * v - 1);
                        std::memcpy(to, &number, 4);
                    } else if (is_wide) {
                        auto const number =
                            static_cast<std::uint16_t>(v * (is_half ? 0x3c00 : 0xffff));
                        std::memcpy(to, &number, 2);
                    } else {
                        *to = static_cast<std::byte>(v * 255);
                    }
                }
    }

    jxrlib::Pixels as;
    index width, height;
    std::vector<std::byte> pixels;

  private:
    // 0 .. 1
    static double value(Kind kind, index y, index x, index c, unsigned random) {
        auto const fx = static_cast<double>(x), fy = static_cast<double>(y);
        double const noise = random % 1000 / 1000.0;
        switch (kind) {
            case Kind::noise:
                return noise;
            case Kind::gradient:
                return static_cast<double>((3 * x + 5 * y + 90 * c) % 400) / 400;
            case Kind::texture:
                return 0.5 + 0.25 * std::sin(0.05 * fx + static_cast<double>(c)) +
                       0.2 * std::cos(0.08 * fy + 0.01 * fx) + 0.04 * noise;
            case Kind::flat:
                return 0.3;
        }
        return 0;
    }
};

}  // namespace sluice::codec::jxrtest
