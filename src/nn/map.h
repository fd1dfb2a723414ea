// Map: a tensor in channels-last that somebody else owns: rows of pixels, each with its channels.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "nn/rows.h"

namespace sluice::nn {

enum class Element : std::uint8_t { f32, bf16 };

constexpr index bytes_of(Element e) {
    return e == Element::f32 ? 4 : 2;
}

/// [height][width][channels]
struct Map {
    std::byte* data = nullptr;
    Element element = Element::f32;
    index height = 0, width = 0, channels = 0;

    index row_bytes() const { return width * channels * bytes_of(element); }
    index bytes() const { return height * row_bytes(); }
    /// Rows [first, first + count).
    Map part(index first, index count) const {
        return {data + first * row_bytes(), element, count, width, channels};
    }
    /// Its pixels; T is what `element` says.
    template <class T>
    Rows<T> pixels() const {
        return {reinterpret_cast<T*>(data), height * width, channels, channels};
    }
};

}  // namespace sluice::nn
