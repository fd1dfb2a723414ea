// What a pixel type consists of, and painters that ask a function for every sample.
// SPDX-License-Identifier: Apache-2.0
#include "czi_writer/pixels.h"

#include <cstring>

namespace sluice::test {
namespace {

template <class T>
void put(std::byte* at, T value) {
    std::memcpy(at, &value, sizeof value);
}

/// The position of the n-th plane of a sub-block.
slide::PlaneIndex position_of(Tile const& tile, index n) {
    slide::PlaneIndex at = tile.at;
    for (char const letter : tile.dimensions) {
        std::size_t const d = slide::dimension_letters.find(letter);
        if (d == std::string_view::npos) continue;
        at[d] += static_cast<std::int32_t>(n % tile.planes[d]);
        n /= tile.planes[d];
    }
    return at;
}

}  // namespace

index Tile::plane_count() const {
    index n = 1;
    for (std::int32_t const size : planes) n *= size;
    return n;
}

Kind kind_of(slide::PixelType type) {
    using enum slide::PixelType;
    switch (type) {
        case gray8:
            return {1, 1};
        case gray16:
            return {1, 2};
        case gray32_float:
        case gray32:
            return {1, 4};
        case gray64_complex:
        case gray64:
            return {1, 8};
        case bgr24:
            return {3, 1};
        case bgra32:
            return {4, 1};
        case bgr48:
            return {3, 2};
        case bgr96_float:
            return {3, 4};
        case bgr192_complex:
            return {3, 8};
    }
    return {1, 1};
}

void put_sample(std::byte* at, slide::PixelType type, double value) {
    using enum slide::PixelType;
    switch (type) {
        case gray8:
        case bgr24:
        case bgra32:
            return put(at, static_cast<std::uint8_t>(static_cast<index>(value)));
        case gray16:
        case bgr48:
            return put(at, static_cast<std::uint16_t>(static_cast<index>(value)));
        case gray32:
            return put(at, static_cast<std::int32_t>(static_cast<index>(value)));
        case gray32_float:
        case bgr96_float:
            return put(at, static_cast<float>(value));
        case gray64:
            return put(at, value);
        case gray64_complex:
        case bgr192_complex:
            put(at, static_cast<float>(value));
            return put(at + 4, static_cast<float>(-value));
    }
}

Painter paint_by(std::function<double(Point const&)> value) {
    return [value = std::move(value)](Tile const& tile, std::span<std::byte> out) {
        Kind const kind = kind_of(tile.pixel_type);
        std::byte* to = out.data();
        Point p;
        for (index plane = 0; plane < tile.plane_count(); ++plane) {
            p.at = position_of(tile, plane);
            for (index row = 0; row < tile.height(); ++row) {
                p.y = tile.rect.y + row * tile.rect.height / tile.height();
                for (index col = 0; col < tile.width(); ++col) {
                    p.x = tile.rect.x + col * tile.rect.width / tile.width();
                    for (p.sample = 0; p.sample < kind.samples; ++p.sample) {
                        put_sample(to, tile.pixel_type, value(p));
                        to += kind.sample_bytes;
                    }
                }
            }
        }
    };
}

}  // namespace sluice::test
