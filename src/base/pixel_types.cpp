// The table of pixel types.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/slide_model.h"

namespace sluice::slide {
namespace {

struct Row {
    PixelType type;
    std::string_view name;
    PixelFormat format;
};

constexpr Row rows[] = {
    {PixelType::gray8, "Gray8", {DType::u8, 1, 1}},
    {PixelType::gray16, "Gray16", {DType::u16, 1, 2}},
    {PixelType::gray32_float, "Gray32Float", {DType::f32, 1, 4}},
    {PixelType::bgr24, "Bgr24", {DType::u8, 3, 3}},
    {PixelType::bgr48, "Bgr48", {DType::u16, 3, 6}},
    {PixelType::bgr96_float, "Bgr96Float", {DType::f32, 3, 12}},
    {PixelType::bgra32, "Bgra32", {DType::u8, 4, 4}},
    {PixelType::gray64_complex, "Gray64ComplexFloat", {DType::c64, 1, 8}},
    {PixelType::bgr192_complex, "Bgr192ComplexFloat", {DType::c64, 3, 24}},
    {PixelType::gray32, "Gray32", {DType::i32, 1, 4}},
    {PixelType::gray64, "Gray64", {DType::f64, 1, 8}},
};

Row const* row_of(PixelType type) {
    for (Row const& r : rows)
        if (r.type == type) return &r;
    return nullptr;
}

}  // namespace

bool known(PixelType type) {
    return row_of(type) != nullptr;
}

std::string_view name_of(PixelType type) {
    Row const* const r = row_of(type);
    return r ? r->name : std::string_view();
}

PixelFormat format_of(PixelType type) {
    Row const* const r = row_of(type);
    return r ? r->format : PixelFormat{};
}

}  // namespace sluice::slide
