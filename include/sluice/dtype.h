// DType: the types that elements have, the one list for every format and domain.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "sluice/view.h"

namespace sluice {

/// Little-endian in memory. Detectors have u8, u16, u32 and f32, pixels of slides have u8, u16,
/// i32, f32, f64 and c64; a reader converts what else a file holds, and says so in the notes.
/// c64 is two f32, c128 two f64: the real part and the imaginary one.
enum class DType : std::uint8_t {
    boolean,
    i8,
    u8,
    i16,
    u16,
    i32,
    u32,
    i64,
    u64,
    bf16,
    f16,
    f32,
    f64,
    c64,
    c128
};

/// Bytes of an element.
constexpr index size_of(DType t) {
    constexpr index sizes[] = {1, 1, 1, 2, 2, 4, 4, 8, 8, 2, 2, 4, 8, 8, 16};
    return sizes[static_cast<int>(t)];
}

/// NumPy's names, and ml_dtypes' "bfloat16".
constexpr std::string_view name_of(DType t) {
    constexpr std::string_view names[] = {
        "bool",   "int8",     "uint8",   "int16",   "uint16",  "int32",     "uint32",    "int64",
        "uint64", "bfloat16", "float16", "float32", "float64", "complex64", "complex128"};
    return names[static_cast<int>(t)];
}

}  // namespace sluice
