// Names and sizes of pixel types and compressions.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/czi.h"

namespace sluice::czi {
namespace {

struct Row {
    PixelType type;
    std::string_view name;
    PixelFormat format;
};

constexpr Row rows[] = {
    {PixelType::gray8, "Gray8", {Sample::u8, 1, 1}},
    {PixelType::gray16, "Gray16", {Sample::u16, 1, 2}},
    {PixelType::gray32_float, "Gray32Float", {Sample::f32, 1, 4}},
    {PixelType::bgr24, "Bgr24", {Sample::u8, 3, 3}},
    {PixelType::bgr48, "Bgr48", {Sample::u16, 3, 6}},
    {PixelType::bgr96_float, "Bgr96Float", {Sample::f32, 3, 12}},
    {PixelType::bgra32, "Bgra32", {Sample::u8, 4, 4}},
    {PixelType::gray64_complex, "Gray64ComplexFloat", {Sample::c64, 1, 8}},
    {PixelType::bgr192_complex, "Bgr192ComplexFloat", {Sample::c64, 3, 24}},
    {PixelType::gray32, "Gray32", {Sample::i32, 1, 4}},
    {PixelType::gray64, "Gray64", {Sample::f64, 1, 8}},
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

std::string_view name_of(Compression compression) {
    switch (compression) {
        case Compression::none:
            return "none";
        case Compression::jpeg:
            return "JPEG";
        case Compression::lzw:
            return "LZW";
        case Compression::jpeg_xr:
            return "JPEG XR";
        case Compression::zstd0:
            return "zstd0";
        case Compression::zstd1:
            return "zstd1";
    }
    return {};
}

std::string_view name_of(Sample sample) {
    switch (sample) {
        case Sample::u8:
            return "uint8";
        case Sample::u16:
            return "uint16";
        case Sample::i32:
            return "int32";
        case Sample::f32:
            return "float32";
        case Sample::f64:
            return "float64";
        case Sample::c64:
            return "complex64";
    }
    return {};
}

int size_of(Sample sample) {
    switch (sample) {
        case Sample::u8:
            return 1;
        case Sample::u16:
            return 2;
        case Sample::i32:
        case Sample::f32:
            return 4;
        case Sample::f64:
        case Sample::c64:
            return 8;
    }
    return 0;
}

}  // namespace sluice::czi
