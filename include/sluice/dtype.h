// DType: the element types a detector writes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "sluice/view.h"

namespace sluice {

/// Little-endian in memory. What a file holds in another type is converted by its reader, which
/// says so in the dataset's notes.
enum class DType : std::uint8_t { u8, u16, u32, f32 };

constexpr index size_of(DType t) {
    switch (t) {
        case DType::u8:
            return 1;
        case DType::u16:
            return 2;
        case DType::u32:
        case DType::f32:
            return 4;
    }
    return 0;
}

/// NumPy's names.
constexpr std::string_view name_of(DType t) {
    switch (t) {
        case DType::u8:
            return "uint8";
        case DType::u16:
            return "uint16";
        case DType::u32:
            return "uint32";
        case DType::f32:
            return "float32";
    }
    return "?";
}

}  // namespace sluice
