// From a type that is known when the program runs to one that the compiler knows.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/dtype.h"
#include "sluice/result.h"

namespace sluice {

template <class T>
inline constexpr DType dtype_of = DType::boolean;
template <>
inline constexpr DType dtype_of<std::uint8_t> = DType::u8;
template <>
inline constexpr DType dtype_of<std::uint16_t> = DType::u16;
template <>
inline constexpr DType dtype_of<std::uint32_t> = DType::u32;
template <>
inline constexpr DType dtype_of<std::int32_t> = DType::i32;
template <>
inline constexpr DType dtype_of<float> = DType::f32;
template <>
inline constexpr DType dtype_of<double> = DType::f64;

/// Returns work(T{}) for the one of these types that `type` is; another type is an error of
/// the program, which ends.
template <class First, class... Rest, class Work>
auto with_type_of(DType type, Work const& work) {
    if constexpr (sizeof...(Rest) > 0)
        if (type != dtype_of<First>) return with_type_of<Rest...>(type, work);
    expects(type == dtype_of<First>);
    return work(First{});
}

/// Of the types that detectors have.
template <class Work>
auto with_detector_type(DType type, Work const& work) {
    return with_type_of<std::uint8_t, std::uint16_t, std::uint32_t, float>(type, work);
}

/// Of the types that pixels of slides have, but complex ones.
template <class Work>
auto with_pixel_type(DType type, Work const& work) {
    return with_type_of<std::uint8_t, std::uint16_t, std::int32_t, float, double>(type, work);
}

}  // namespace sluice
