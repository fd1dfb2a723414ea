// Copying pixels, whatever their order and packing.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/pixels.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/with_type.h"
#include "codec/hilo/hilo.h"
#include "device/past_caches.h"
#include "domain/slide/swap.h"

namespace sluice::slide {
namespace {

// Pixels that are unpacked at a time before their colours are exchanged; fits the first cache.
constexpr index batch = 512;

// Bytes of the largest pixel, three complex numbers.
constexpr index widest = 24;

// Colours to R, G, B (, A = 255: ZEN shows every pixel of Bgra32, whatever its fourth byte says).
void to_rgb(PixelFormat const& format, std::byte const* from, index n, std::byte* to) {
    index const size = size_of(format.sample);
    static Swap const& kernels = swap(chosen_isa());
    if (format.samples == 3 && size == 1) return kernels.u8(from, n, to);
    if (format.samples == 3 && size == 2) return kernels.u16(from, n, to);
    for (index i = 0; i < n; ++i, from += format.bytes, to += format.bytes) {
        for (index s = 0; s < 3; ++s)
            std::memcpy(to + s * size, from + (2 - s) * size, static_cast<std::size_t>(size));
        if (format.samples == 4) to[3 * size] = std::byte{255};
    }
}

void copy_packed(Pixels const& from, index pixel, index width, std::byte* to) {
    index const samples = from.format.samples;
    if (!from.bgr) {
        codec::unpack_hilo(from.bytes, pixel * samples,
                           {to, static_cast<std::size_t>(width * from.format.bytes)});
        return;
    }
    std::byte mixed[batch * 6];
    for (index i = 0; i < width; i += batch) {
        index const n = std::min(batch, width - i);
        codec::unpack_hilo(from.bytes, (pixel + i) * samples,
                           {mixed, static_cast<std::size_t>(n * from.format.bytes)});
        to_rgb(from.format, mixed, n, to + i * from.format.bytes);
    }
}

void copy_dense(Pixels const& from, std::byte const* pixels, index width, std::byte* to) {
    if (from.bgr)
        to_rgb(from.format, pixels, width, to);
    else
        std::memcpy(to, pixels, static_cast<std::size_t>(width * from.format.bytes));
}

void copy_strided(Pixels const& from, std::byte const* pixels, index width, std::byte* to) {
    std::byte pixel[widest];
    index const bytes = from.format.bytes;
    for (index i = 0; i < width; ++i) {
        std::memcpy(pixel, pixels + i * from.pixel_stride, static_cast<std::size_t>(bytes));
        copy_dense(from, pixel, 1, to + i * bytes);
    }
}

template <class T>
void fill_as(double value, index n, std::byte* to) {
    T v{};
    if constexpr (std::is_integral_v<T>)
        v = static_cast<T>(std::llround(std::clamp(
            std::isnan(value) ? 0.0 : value, static_cast<double>(std::numeric_limits<T>::min()),
            static_cast<double>(std::numeric_limits<T>::max()))));
    else
        v = static_cast<T>(value);
    for (index i = 0; i < n; ++i) std::memcpy(to + i * static_cast<index>(sizeof v), &v, sizeof v);
}

// Pixels that must be changed on the way go through the first cache.
void row_past_caches(Pixels const& from, index x, index y, index width, std::byte* to) {
    static PastCaches const& kernels = past_caches(chosen_isa());
    index const bytes = from.format.bytes;
    if (from.hi_lo && !from.bgr) {
        codec::unpack_hilo(from.bytes, (y * from.width + x) * from.format.samples,
                           {to, static_cast<std::size_t>(width * bytes)}, true);
    } else if (from.dense() && !from.bgr && !from.hi_lo) {
        kernels.copy(from.bytes.data() + from.first + y * from.row_stride + x * from.pixel_stride,
                     width * bytes, to);
    } else {
        std::byte changed[batch * widest];
        for (index i = 0; i < width; i += batch) {
            index const n = std::min(batch, width - i);
            copy_row(from, x + i, y, n, changed);
            kernels.copy(changed, n * bytes, to + i * bytes);
        }
    }
}

}  // namespace

void copy_row(Pixels const& from, index x, index y, index width, std::byte* to) {
    index const bytes = from.format.bytes;
    if (from.width <= 0 || from.height <= 0) {
        std::memset(to, 0, static_cast<std::size_t>(width * bytes));
        return;
    }
    y = std::clamp<index>(y, 0, from.height - 1);
    x = std::min(x, from.width - 1);
    index const there = std::clamp<index>(from.width - x, 0, width);
    if (from.hi_lo) {
        copy_packed(from, y * from.width + x, there, to);
    } else {
        std::byte const* const pixels =
            from.bytes.data() + from.first + y * from.row_stride + x * from.pixel_stride;
        if (from.dense())
            copy_dense(from, pixels, there, to);
        else
            copy_strided(from, pixels, there, to);
    }
    for (index i = there; i < width; ++i)
        std::memcpy(to + i * bytes, to + (there - 1) * bytes, static_cast<std::size_t>(bytes));
}

void copy_rect(Pixels const& from, Rect const& rect, std::byte* to, index to_stride,
               bool past_caches) {
    // Rows and columns that go on are for copy_row().
    bool const there = rect.x + rect.width <= from.width && rect.y + rect.height <= from.height;
    if (!past_caches || !there) {
        for (index row = 0; row < rect.height; ++row)
            copy_row(from, rect.x, rect.y + row, rect.width, to + row * to_stride);
        return;
    }
    for (index row = 0; row < rect.height; ++row)
        row_past_caches(from, rect.x, rect.y + row, rect.width, to + row * to_stride);
    past_caches_done();
}

bool can_be(DType sample, double value) {
    bool const whole = value == std::nearbyint(value);
    switch (sample) {
        case DType::u8:
            return whole && value >= 0 && value <= 255;
        case DType::u16:
            return whole && value >= 0 && value <= 65535;
        case DType::i32:
            return whole && std::abs(value) <= std::numeric_limits<std::int32_t>::max();
        case DType::f32:
        case DType::c64:
            return !std::isfinite(value) ||
                   std::abs(value) <= double{std::numeric_limits<float>::max()};
        default:
            break;
    }
    return true;
}

Error cannot_be(DType sample, double value, std::string_view option) {
    return {Code::invalid_argument, fmt::format("pixels of type {} cannot be {}; give another {}",
                                                name_of(sample), value, option)};
}

Status check_fills(DType sample, ReadOptions const& options) {
    if (!can_be(sample, options.background))
        return cannot_be(sample, options.background, "--background");
    if (options.fill_bad && !can_be(sample, *options.fill_bad))
        return cannot_be(sample, *options.fill_bad, "--fill-bad");
    return {};
}

void fill_row(PixelFormat const& format, double value, index width, std::byte* to) {
    index const n = width * format.samples;
    if (format.sample != DType::c64)
        return with_pixel_type(format.sample, [&]<class T>(T) { fill_as<T>(value, n, to); });
    for (index i = 0; i < n; ++i) {
        fill_as<float>(value, 1, to + 8 * i);
        fill_as<float>(0, 1, to + 8 * i + 4);
    }
}

}  // namespace sluice::slide
