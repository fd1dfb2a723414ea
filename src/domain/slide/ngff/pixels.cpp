// Halving and cutting, for each type of element.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/ngff/pixels.h"

#include <algorithm>
#include <cmath>

#include "base/with_type.h"
#include "kernel/halve/halve.h"

namespace sluice::slide::ome {
namespace {

template <class T, int samples>
void halve_pairs(T const* top, T const* bottom, index pairs, T* to) {
    for (index x = 0; x < pairs; ++x)
        for (index s = 0; s < samples; ++s) {
            index const at = 2 * x * samples + s;
            to[x * samples + s] =
                halve::mean(top[at], top[at + samples], bottom[at], bottom[at + samples]);
        }
}

template <class T>
void halve_pairs(T const* top, T const* bottom, index pairs, index samples, T* to) {
    if (samples == 1) return halve_pairs<T, 1>(top, bottom, pairs, to);
    if (samples == 3) return halve_pairs<T, 3>(top, bottom, pairs, to);
    expects(samples == 4);
    halve_pairs<T, 4>(top, bottom, pairs, to);
}

template <class T>
bool is_nan(T v) {
    if constexpr (std::is_floating_point_v<T>) return std::isnan(v);
    return false;
}

template <class T>
Range cut(T const* from, index stride, index step, index width, index height, T fill,
          index chunk_width, index chunk_height, T* chunk) {
    T low = fill, high = fill;
    bool any = false;
    for (index y = 0; y < height; ++y, from += stride, chunk += chunk_width) {
        if (step == 1)
            std::copy_n(from, width, chunk);
        else
            for (index x = 0; x < width; ++x) chunk[x] = from[x * step];
        for (index x = 0; x < width && !any; ++x)
            if (!is_nan(chunk[x])) low = high = chunk[x], any = true;
        for (index x = 0; x < width; ++x) {
            low = chunk[x] < low ? chunk[x] : low;
            high = chunk[x] > high ? chunk[x] : high;
        }
        std::fill(chunk + width, chunk + chunk_width, fill);
    }
    std::fill(chunk, chunk + (chunk_height - height) * chunk_width, fill);
    return any ? Range{static_cast<double>(low), static_cast<double>(high)} : Range{};
}

}  // namespace

void Range::add(Range const& other) {
    if (other.low > other.high) return;
    bool const none = low > high;
    low = none ? other.low : std::min(low, other.low);
    high = none ? other.high : std::max(high, other.high);
}

void halve_row(DType type, PixelRows const& from, index y, std::byte* to) {
    with_pixel_type(type, [&](auto zero) {
        using T = decltype(zero);
        index const row = from.width * from.samples, pairs = from.width / 2;
        auto const* const top = reinterpret_cast<T const*>(from.data) + 2 * y * row;
        // The mean of one row is that of the row taken twice: half a sum of pairs rounds alike.
        auto const* const bottom = 2 * y + 1 < from.height ? top + row : top;
        auto* const out = reinterpret_cast<T*>(to);
        halve_pairs(top, bottom, pairs, from.samples, out);
        if (from.width % 2 == 0) return;
        for (index s = 0; s < from.samples; ++s) {
            index const at = 2 * pairs * from.samples + s;
            out[pairs * from.samples + s] = halve::mean(top[at], top[at], bottom[at], bottom[at]);
        }
    });
}

void paint(DType type, PixelRows const& rows, double fill) {
    with_pixel_type(type, [&](auto zero) {
        using T = decltype(zero);
        std::fill_n(reinterpret_cast<T*>(rows.data), rows.width * rows.height * rows.samples,
                    static_cast<T>(fill));
    });
}

Range cut(DType type, PixelRows const& from, index x, index y, index sample, double fill,
          index chunk_width, index chunk_height, std::byte* chunk) {
    return with_pixel_type(type, [&](auto zero) {
        using T = decltype(zero);
        auto const* const first =
            reinterpret_cast<T const*>(from.data) + (y * from.width + x) * from.samples + sample;
        return cut(first, from.width * from.samples, from.samples,
                   std::min(chunk_width, from.width - x), std::min(chunk_height, from.height - y),
                   static_cast<T>(fill), chunk_width, chunk_height, reinterpret_cast<T*>(chunk));
    });
}

}  // namespace sluice::slide::ome
