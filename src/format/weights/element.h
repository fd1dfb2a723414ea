// The types of numbers that weights are stored in.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "sluice/view.h"

namespace sluice::weights {

enum class Element : std::uint8_t { f64, f32, f16, bf16, i64, i32, i16, i8, u8, boolean };

struct ElementNames {
    Element element;
    index bytes;                   ///< of one number
    std::string_view name;         ///< as reports and PyTorch's dtypes say it
    std::string_view storage;      ///< PyTorch's class of storages
    std::string_view safetensors;  ///< in the header of safetensors
};
constexpr std::array<ElementNames, 10> elements = {{
    {Element::f64, 8, "float64", "DoubleStorage", "F64"},
    {Element::f32, 4, "float32", "FloatStorage", "F32"},
    {Element::f16, 2, "float16", "HalfStorage", "F16"},
    {Element::bf16, 2, "bfloat16", "BFloat16Storage", "BF16"},
    {Element::i64, 8, "int64", "LongStorage", "I64"},
    {Element::i32, 4, "int32", "IntStorage", "I32"},
    {Element::i16, 2, "int16", "ShortStorage", "I16"},
    {Element::i8, 1, "int8", "CharStorage", "I8"},
    {Element::u8, 1, "uint8", "ByteStorage", "U8"},
    {Element::boolean, 1, "bool", "BoolStorage", "BOOL"},
}};

constexpr ElementNames const& names_of(Element e) {
    return elements[static_cast<std::size_t>(e)];
}
constexpr index bytes_of(Element e) {
    return names_of(e).bytes;
}

/// The element that has `word` as one of its names.
constexpr std::optional<Element> element_of(std::string_view word,
                                            std::string_view ElementNames::*kind) {
    for (ElementNames const& n : elements)
        if (n.*kind == word) return n.element;
    return {};
}

}  // namespace sluice::weights
