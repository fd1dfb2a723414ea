// Frames = (size - offset) / bytes of a frame, with every way in which that can be wrong.
// SPDX-License-Identifier: Apache-2.0
#include "format/raw/geometry.h"

#include <fmt/format.h>

#include "base/plural.h"

namespace sluice::raw {
namespace {

constexpr index largest_side = 1 << 20;

Error wrong(std::string message) {
    return {Code::invalid_argument, std::move(message)};
}

Result<StoredType> parse_type(std::string_view name) {
    using Kind = StoredType::Kind;
    if (name == name_of(DType::u8)) return StoredType{Kind::unsigned_int, 1};
    if (name == name_of(DType::u16)) return StoredType{Kind::unsigned_int, 2};
    if (name == name_of(DType::u32)) return StoredType{Kind::unsigned_int, 4};
    if (name == name_of(DType::f32)) return StoredType{Kind::floating, 4};
    return wrong(
        fmt::format("raw values of type \"{}\" (uint8, uint16, uint32 and float32 are "
                    "read, little-endian)",
                    name));
}

}  // namespace

Result<Geometry> find_geometry(std::uint64_t file_bytes, RawOptions const& options,
                               bool allow_incomplete) {
    if (!options.raw_frame || options.raw_dtype.empty())
        return wrong(
            "is raw binary, which does not say how its frames look; give the frame shape "
            "and the type, e.g. --raw-frame 192x192 --raw-dtype uint16");
    SLUICE_TRY(StoredType const type, parse_type(options.raw_dtype));
    auto const [rows, cols] = *options.raw_frame;
    if (rows < 1 || cols < 1 || rows > largest_side || cols > largest_side)
        return wrong(fmt::format("a frame of {}x{} pixels (each side must be 1 to {})", rows, cols,
                                 largest_side));
    if (options.raw_offset > file_bytes)
        return wrong(fmt::format("the first frame is said to begin at byte {} (the file has {})",
                                 options.raw_offset, file_bytes));
    Geometry g{{type, options.raw_offset, 0, rows * cols}, rows, cols};
    std::uint64_t const frame = g.layout.frame_bytes(), held = file_bytes - options.raw_offset;
    g.layout.present = static_cast<index>(held / frame);
    g.left_over = held % frame;
    if (g.layout.present == 0)
        return Error{Code::truncated,
                     fmt::format("holds no whole frame ({} bytes; a frame of {}x{} {} takes {}); "
                                 "check --raw-frame, --raw-dtype and --raw-offset",
                                 held, rows, cols, options.raw_dtype, frame)};
    if (g.left_over != 0 && !allow_incomplete)
        return Error{Code::incomplete,
                     fmt::format("{} left over after {} of {}; check --raw-frame, "
                                 "--raw-dtype and --raw-offset, or open it with --allow-incomplete",
                                 plural(g.left_over, "byte is", "bytes are"),
                                 plural(g.layout.present, "frame"), plural(frame, "byte")),
                     {},
                     file_bytes - g.left_over};
    return g;
}

}  // namespace sluice::raw
