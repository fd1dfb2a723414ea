// Reads the messages of DECTRIS' Stream V1.
// SPDX-License-Identifier: Apache-2.0
#include "net/dectris/parts.h"

#include <fmt/format.h>

#include <cstring>

namespace sluice::net::dectris {
namespace {

constexpr std::size_t most_config = 1 << 20, most_small = 1 << 16;  // bytes of JSON

Error wrong(std::string what) {
    return {Code::corrupt, std::move(what)};
}

Result<JsonObject> small_json(Parts parts, std::size_t number) {
    if (parts.size() <= number)
        return wrong(fmt::format("a message of {} parts, of which number {} is missing",
                                 parts.size(), number + 1));
    return JsonObject::read(parts[number], most_small);
}

Result<index> extent(std::uint64_t n) {
    if (n < 1 || n > most_extent)
        return wrong(
            fmt::format("an image of {} rows or columns (there are 1 to {})", n, most_extent));
    return static_cast<index>(n);
}

// With an external enable a trigger is an image.
Status read_count(JsonObject const& config, Start& start) {
    auto const triggers = config.natural("ntrigger"), images = config.natural("nimages");
    std::string const mode = config.text("trigger_mode").value_or("ints");
    if (!triggers) return {};
    bool const each = mode == "exte" || mode == "inte";
    std::uint64_t const of_one = each ? 1 : images.value_or(1);
    if (*triggers < 1 || of_one < 1 || *triggers > most_images || of_one > most_images / *triggers)
        return wrong(fmt::format("a series of {} triggers of {} images", *triggers, of_one));
    start.images = static_cast<index>(*triggers * of_one);
    return {};
}

Status read_config(Bytes part, Header& header) {
    SLUICE_TRY(JsonObject const config, JsonObject::read(part, most_config));
    Start& s = header.start;
    SLUICE_CHECK(read_count(config, s));
    if (auto const n = config.natural("x_pixels_in_detector")) {
        SLUICE_TRY(s.cols, extent(*n));
    }
    if (auto const n = config.natural("y_pixels_in_detector")) {
        SLUICE_TRY(s.rows, extent(*n));
    }
    if (auto const bits = config.natural("bit_depth_image")) {
        if (*bits != 8 && *bits != 16 && *bits != 32)
            return wrong(fmt::format("images of {} bits (8, 16 and 32 are read)", *bits));
        header.dtype = *bits == 8 ? DType::u8 : *bits == 16 ? DType::u16 : DType::u32;
    }
    if (auto const most = config.natural("countrate_correction_count_cutoff"); most && *most > 0)
        s.saturation = *most;
    s.mask_applied = config.boolean("pixel_mask_applied").value_or(false);
    s.energy_ev = config.number("incident_energy").value_or(0);
    if (s.energy_ev == 0) s.energy_ev = config.number("photon_energy").value_or(0);
    s.frame_time_s = config.number("frame_time").value_or(0);
    s.count_time_s = config.number("count_time").value_or(0);
    s.pixel_m = config.number("x_pixel_size").value_or(0);
    s.detector = config.text("description").value_or("");
    s.serial_number = config.text("detector_number").value_or("");
    s.arm_date = config.text("data_collection_date").value_or("");
    return {};
}

Status read_mask(JsonObject const& said, Bytes bytes, Header& header) {
    auto const shape = said.naturals("shape");
    bool const fits = shape && shape->size() == 2 &&
                      (*shape)[0] == static_cast<std::uint64_t>(header.start.cols) &&
                      (*shape)[1] == static_cast<std::uint64_t>(header.start.rows);
    auto const pixels = static_cast<std::size_t>(header.start.rows * header.start.cols);
    if (!fits || said.text("type") != "uint32" || bytes.size() != 4 * pixels)
        return wrong(
            fmt::format("a pixel mask of {} bytes for images of {}x{} (four bytes a pixel "
                        "are one)",
                        bytes.size(), header.start.rows, header.start.cols));
    std::vector<std::uint32_t> values(pixels);
    std::memcpy(values.data(), bytes.data(), bytes.size());
    header.start.pixel_masks[""] = std::move(values);
    return {};
}

void read_appendix(Bytes part, Start& start) {
    auto const object = JsonObject::read(part, most_small);
    auto const scan = object ? object->naturals("scan") : std::nullopt;
    if (!scan || scan->size() != 2 || (*scan)[0] < 1 || (*scan)[1] < 1) return;
    if ((*scan)[0] > most_images || (*scan)[1] > most_images / (*scan)[0]) return;
    start.scan = {static_cast<index>((*scan)[0]), static_cast<index>((*scan)[1])};
}

std::optional<DType> dtype_of(std::string_view name) {
    for (DType const t : {DType::u8, DType::u16, DType::u32})
        if (name == name_of(t)) return t;
    return {};
}

}  // namespace

std::optional<Packed> packed_of(std::string_view encoding) {
    if (encoding == "<") return Packed{Encoding::values};
    if (encoding == ">") return Packed{Encoding::big_endian};
    if (encoding == "lz4<") return Packed{Encoding::lz4_block};
    for (int const bytes : {1, 2, 4})
        if (encoding == fmt::format("bs{}-lz4<", 8 * bytes))
            return Packed{Encoding::bitshuffle_lz4, bytes};
    return {};
}

Result<OpenedParts> open_parts(Parts parts) {
    SLUICE_TRY(JsonObject const first, small_json(parts, 0));
    OpenedParts opened;
    opened.name = first.text("htype").value_or("");
    if (opened.name.starts_with("dimage-")) opened.type = Type::image;
    if (opened.name.starts_with("dheader-")) opened.type = Type::start;
    if (opened.name.starts_with("dseries_end-")) opened.type = Type::end;
    if (opened.type == Type::unknown) return opened;
    auto const series = first.natural("series"), frame = first.natural("frame");
    if (!series || (opened.type == Type::image && !frame))
        return wrong(fmt::format("'{}' without series or frame", opened.name));
    opened.series = *series;
    opened.frame = frame.value_or(0);
    opened.hash = first.text("hash").value_or("");
    opened.detail = first.text("header_detail").value_or("none");
    return opened;
}

Result<Header> read_header(Parts parts, OpenedParts const& opened) {
    Header header;
    header.start.series_id = opened.series;
    std::size_t next = 1;
    if (opened.detail != "none") {
        if (parts.size() < 2) return wrong("a header without the configuration that it announces");
        SLUICE_CHECK(read_config(parts[next++], header));
    }
    // Pairs of what an array is and its bytes; what is left over is the appendix.
    for (; opened.detail == "all" && next + 1 < parts.size(); next += 2) {
        auto const said = JsonObject::read(parts[next], most_small);
        auto const name = said ? said->text("htype").value_or("") : std::string();
        if (!name.starts_with("d")) break;
        if (name.starts_with("dpixelmask-"))
            SLUICE_CHECK(read_mask(*said, parts[next + 1], header));
    }
    if (opened.detail == "all" && header.start.pixel_masks.empty())
        header.lacks = fmt::format("the pixel mask, in {} parts", parts.size());
    if (next < parts.size()) read_appendix(parts.back(), header.start);
    return header;
}

Result<ImageParts> read_image(Parts parts, OpenedParts const& opened) {
    ImageParts image{.series = opened.series, .frame = opened.frame};
    SLUICE_TRY(JsonObject const said, small_json(parts, 1));
    if (parts.size() < 3) return wrong("an image without its bytes");
    auto const shape = said.naturals("shape");
    if (!shape || shape->size() < 2) return wrong("an image without a shape");
    if (shape->size() > 2) return wrong("an image of three dimensions");
    SLUICE_TRY(image.cols, extent((*shape)[0]));
    SLUICE_TRY(image.rows, extent((*shape)[1]));
    std::string const type = said.text("type").value_or("");
    auto const dtype = dtype_of(type);
    if (!dtype)
        return wrong(fmt::format("images of '{}' (uint8, uint16 and uint32 are read)", type));
    image.dtype = *dtype;
    image.encoding = said.text("encoding").value_or("");
    image.bytes = parts[2];
    auto const size = said.natural("size");
    if (size && *size != image.bytes.size())
        return wrong(fmt::format("an image of {} bytes that has {}", *size, image.bytes.size()));
    return image;
}

}  // namespace sluice::net::dectris
