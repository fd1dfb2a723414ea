// The TIFF-like container around a JPEG XR image.
// SPDX-License-Identifier: Apache-2.0
#include "codec/jxr/container.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "base/bytes.h"

namespace sluice::codec::jxr {
namespace {

using Guid = std::array<std::uint8_t, 16>;

// Of most formats only the last byte of the GUID differs.
constexpr Guid common = {0x24, 0xc3, 0xdd, 0x6f, 0x03, 0x4e, 0xfe, 0x4b,
                         0xb1, 0x85, 0x3d, 0x77, 0x76, 0x8d, 0xc9, 0x00};

struct Format {
    std::uint8_t last;
    std::string_view name;
    int samples;
    Depth depth;
    bool bgr;
};
constexpr Format formats[] = {
    {0x08, "8bppGray", 1, Depth::bit8, false},
    {0x0b, "16bppGray", 1, Depth::bit16, false},
    {0x3e, "16bppGrayHalf", 1, Depth::half, false},
    {0x11, "32bppGrayFloat", 1, Depth::float32, false},
    {0x0c, "24bppBGR", 3, Depth::bit8, true},
    {0x0d, "24bppRGB", 3, Depth::bit8, false},
    {0x0e, "32bppBGR", 3, Depth::bit8, true},
    {0x15, "48bppRGB", 3, Depth::bit16, false},
    {0x3b, "48bppRGBHalf", 3, Depth::half, false},
    {0x42, "64bppRGBHalf", 3, Depth::half, false},
    {0x1b, "128bppRGBFloat", 3, Depth::float32, false},
    {0x0f, "32bppBGRA", 4, Depth::bit8, true},
    {0x16, "64bppRGBA", 4, Depth::bit16, false},
    {0x3a, "64bppRGBAHalf", 4, Depth::half, false},
    {0x19, "128bppRGBAFloat", 4, Depth::float32, false},
};

struct RareFormat {
    Guid guid;
    Format format;
};
constexpr RareFormat rare_formats[] = {
    {{0x95, 0x6b, 0x8c, 0xd9, 0xfe, 0x3e, 0xd6, 0x47, 0xbb, 0x25, 0xeb, 0x17, 0x48, 0xab, 0x0c,
      0xf1},
     {0, "32bppRGB", 3, Depth::bit8, false}},
    {{0x8f, 0xd7, 0xfe, 0xe3, 0xdb, 0xe8, 0xcf, 0x4a, 0x84, 0xc1, 0xe9, 0x7f, 0x61, 0x36, 0xb3,
      0x27},
     {0, "96bppRGBFloat", 3, Depth::float32, false}},
    {{0x2d, 0xad, 0xc7, 0xf5, 0x8d, 0x6a, 0xdd, 0x43, 0xa7, 0xa8, 0xa2, 0x99, 0x35, 0x26, 0x1a,
      0xe9},
     {0, "32bppRGBA", 4, Depth::bit8, false}},
};

struct Unread {
    std::uint8_t last;
    std::string_view name;
};
constexpr Unread unread[] = {
    {0x05, "BlackWhite"},           {0x09, "16bppRGB555"},        {0x0a, "16bppRGB565"},
    {0x10, "32bppPBGRA"},           {0x12, "48bppRGBFixedPoint"}, {0x13, "16bppGrayFixedPoint"},
    {0x14, "32bppRGB101010"},       {0x17, "64bppPRGBA"},         {0x18, "96bppRGBFixedPoint"},
    {0x1a, "128bppPRGBAFloat"},     {0x1c, "32bppCMYK"},          {0x1d, "64bppRGBAFixedPoint"},
    {0x1e, "128bppRGBAFixedPoint"}, {0x1f, "64bppCMYK"},          {0x3d, "32bppRGBE"},
    {0x3f, "32bppGrayFixedPoint"},  {0x40, "64bppRGBFixedPoint"}, {0x41, "128bppRGBFixedPoint"},
};

Result<Format> find_format(Bytes guid) {
    for (RareFormat const& rare : rare_formats)
        if (std::memcmp(guid.data(), rare.guid.data(), 16) == 0) return rare.format;
    auto const last = std::to_integer<std::uint8_t>(guid[15]);
    std::string name = "of an unknown GUID";
    if (std::memcmp(guid.data(), common.data(), 15) == 0) {
        auto const* const found = std::ranges::find(formats, last, &Format::last);
        if (found != std::end(formats)) return *found;
        auto const* const other = std::ranges::find(unread, last, &Unread::last);
        name = other != std::end(unread) ? std::string(other->name)
                                         : fmt::format("number 0x{:02x}", last);
    }
    return Error{
        Code::unsupported,
        fmt::format("JPEG XR pixel format {} (gray, RGB and RGBA of 8 or 16 bits or floats "
                    "are read) convert it with another program",
                    name)};
}

Error corrupt(std::string_view what) {
    return {Code::corrupt,
            fmt::format("JPEG XR container {} fetch or export the file again", what)};
}

// The tags that matter, and where they point.
struct Tags {
    std::uint32_t format = 0, orientation = 0, image = 0, alpha = 0, alpha_bytes = 0;
};

Result<Tags> read_tags(Bytes file) {
    if (file.size() < 8 || std::memcmp(file.data(), "II\xbc", 3) != 0)
        return corrupt("without its signature (II, 0xBC)");
    if (std::to_integer<int>(file[3]) > 1)
        return Error{Code::unsupported,
                     "JPEG XR container of a later version (0 and 1 are read) "
                     "convert it with another program"};
    std::size_t const at = load_le<std::uint32_t>(file.data() + 4);
    if (at > file.size() || file.size() - at < 2)
        return Error{Code::truncated, "JPEG XR file ends before its tags copy the file again"};
    std::size_t const count = load_le<std::uint16_t>(file.data() + at);
    if ((file.size() - at - 2) / 12 < count)
        return Error{Code::truncated, "JPEG XR file ends in its tags copy the file again"};
    Tags tags;
    for (std::size_t i = 0; i < count; ++i) {
        std::byte const* const entry = file.data() + at + 2 + 12 * i;
        auto const value = load_le<std::uint32_t>(entry + 8);
        switch (load_le<std::uint16_t>(entry)) {
            case 0xbc01:
                tags.format = value;
                break;
            case 0xbc02:
                tags.orientation = value;
                break;
            case 0xbcc0:
                tags.image = value;
                break;
            case 0xbcc2:
                tags.alpha = value;
                break;
            case 0xbcc3:
                tags.alpha_bytes = value;
                break;
            default:
                break;
        }
    }
    return tags;
}

DType sample_of(Depth depth) {
    return depth == Depth::bit8    ? DType::u8
           : depth == Depth::bit16 ? DType::u16
           : depth == Depth::half  ? DType::f16
                                   : DType::f32;
}

}  // namespace

Result<Container> read_container(Bytes file) {
    SLUICE_TRY(Tags const tags, read_tags(file));
    if (tags.format == 0 || tags.format > file.size() || file.size() - tags.format < 16)
        return corrupt("without a pixel format");
    SLUICE_TRY(Format const format, find_format(file.subspan(tags.format, 16)));
    if (tags.orientation != 0)
        return Error{Code::unsupported,
                     "JPEG XR image to be turned or mirrored (only upright ones "
                     "are read) convert it with another program"};
    if (tags.image == 0 || tags.image >= file.size() || tags.alpha >= file.size())
        return Error{Code::truncated, "JPEG XR file ends before its image copy the file again"};
    Container container;
    container.info.samples = format.samples;
    container.info.sample = sample_of(format.depth);
    container.info.bgr = format.bgr;
    container.info.alpha = format.samples == 4;
    container.depth = format.depth;
    container.image = file.subspan(tags.image);
    if (container.info.alpha && tags.alpha != 0 && tags.alpha_bytes != 0)
        container.alpha = file.subspan(tags.alpha);
    return container;
}

}  // namespace sluice::codec::jxr
