// Reads squares of a slide and lays them out as messages.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/slide/tiles.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <set>

namespace sluice::app {
namespace {

constexpr std::uint64_t max_attachment = 32 << 20;
constexpr std::size_t max_told = 16, max_channels = 1024;
// From so many tiles of the finest level on, one tile is read by all processors.
constexpr std::size_t many_tiles = 48;

Result<slide::Rect> rect_of(slide::Rect const& b, TileRequest const& r) {
    if (r.zoom >= zooms_of(b))
        return Error{Code::invalid_argument,
                     fmt::format("there is no zoom {} (the last is {})", r.zoom, zooms_of(b) - 1)};
    index const factor = index{1} << r.zoom, side = tile_side * factor;
    auto const whole = [&](index n) { return (n + factor - 1) / factor * factor; };
    index const x = r.col * side, y = r.row * side;
    if (x >= b.width || y >= b.height)
        return Error{
            Code::invalid_argument,
            fmt::format("there is no tile at row {}, column {} of zoom {}", r.row, r.col, r.zoom)};
    // Whole pixels of the zoom: what lies beyond the slide does not count in their means.
    return slide::Rect{b.x + x, b.y + y, std::min(side, whole(b.width - x)),
                       std::min(side, whole(b.height - y))};
}

Result<slide::PlaneIndex> plane_of(slide::Slide const& slide, TileRequest const& r) {
    slide::PlaneIndex plane = slide.first();
    for (auto const& [d, at] : r.plane) {
        std::int64_t const place = std::int64_t{at} - slide.first()[d];
        if (place < 0 || place >= slide.counts()[d])
            return Error{Code::invalid_argument,
                         fmt::format("there is no {} {} (the file has {} to {})",
                                     slide::dimension_letters[d], at, slide.first()[d],
                                     index{slide.first()[d]} + slide.counts()[d] - 1)};
        plane[d] = at;
    }
    return plane;
}

// Where a stained section has no tile it is glass; in fluorescence it is dark.
double background_of(slide::PixelFormat const& format) {
    if (format.samples == 1) return 0;
    return format.sample == DType::u8 ? 255 : format.sample == DType::u16 ? 65535 : 1;
}

Json bad_tiles(slide::Slide const& slide, std::vector<slide::BadTile> const& bad) {
    Json list = Json::array();
    for (slide::BadTile const& b : bad) {
        if (list.size() == max_told) break;
        auto const& rect = slide.tiles()[static_cast<std::size_t>(b.tile)].rect;
        list.push_back(
            {{"rect", {rect.x, rect.y, rect.width, rect.height}}, {"message", b.error.text()}});
    }
    return list;
}

// JSON numbers and textures hold these types; wider ones become float32.
template <class T>
std::string as_floats(Bytes bytes) {
    std::string out(bytes.size() / sizeof(T) * sizeof(float), '\0');
    for (std::size_t i = 0; i < bytes.size() / sizeof(T); ++i) {
        T value;
        std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
        auto const f = static_cast<float>(value);
        std::memcpy(out.data() + i * sizeof f, &f, sizeof f);
    }
    return out;
}

std::string text_of(Bytes bytes) {
    return {reinterpret_cast<char const*>(bytes.data()), bytes.size()};
}

struct Values {
    std::string_view dtype = "uint8";
    std::string bytes;
};

Result<Values> values_of(slide::Image const& image) {
    Bytes const bytes(image.pixels.data(), image.shape.bytes());
    switch (image.shape.sample) {
        case DType::u8:
        case DType::u16:
        case DType::f32:
            return Values{name_of(image.shape.sample), text_of(bytes)};
        case DType::i32:
            return Values{"float32", as_floats<std::int32_t>(bytes)};
        case DType::f64:
            return Values{"float32", as_floats<double>(bytes)};
        default:
            break;
    }
    return Error{
        Code::unsupported,
        "complex pixels are not shown (no colour stands for them); read them with sluice slide "
        "read"};
}

Json json_of(slide::Rect const& r) {
    return {r.x, r.y, r.width, r.height};
}

// Of the first tile that has the channel; the page looks at each tile's own dtype.
Json pixels_of(slide::Slide const& slide, std::int32_t channel) {
    for (slide::Tile const& t : slide.tiles()) {
        if (t.at[slide::C] != channel) continue;
        auto const format = slide::format_of(t.pixel_type);
        return {{"sample", name_of(format.sample)}, {"samples", format.samples}};
    }
    return {{"sample", nullptr}, {"samples", 1}};
}

Json channels_of(ShownSlide const& s) {
    Json list = Json::array();
    std::int32_t const first = s.slide.first()[slide::C];
    // A damaged index makes millions of channels; the page is told of those that have tiles.
    std::set<std::int32_t> there;
    for (slide::Tile const& t : s.slide.tiles()) there.insert(t.at[slide::C]);
    for (std::int32_t const at : there) {
        if (list.size() == max_channels) break;
        index const i = index{at} - first;
        Json j = pixels_of(s.slide, at);
        j["at"] = at;
        j["name"] = fmt::format("Channel {}", at);
        for (slide::Channel const& c : s.content.metadata.channels) {
            if (c.index != i) continue;
            if (!c.name.empty()) j["name"] = c.name;
            j["color"] = c.color;
            j["low"] = c.low;
            j["high"] = c.high;
        }
        list.push_back(std::move(j));
    }
    return list;
}

// An image in a Zarr folder is known by the folder, too: "x.zarr/0".
std::string name_of(std::string const& path) {
    std::string name;
    bool inside = false;
    for (auto const& part : std::filesystem::path(path)) {
        name = inside ? name + "/" + part.string() : part.string();
        inside = inside || part.extension() == ".zarr";
    }
    return name;
}

}  // namespace

int zooms_of(slide::Rect const& bounds) {
    int zoom = 0;
    while (zoom < max_zoom && (std::max(bounds.width, bounds.height) - 1) >> zoom >= tile_side)
        ++zoom;
    return zoom + 1;
}

Json describe(ShownSlide const& s) {
    slide::Metadata const& m = s.content.metadata;
    Json dimensions = Json::array();
    for (std::size_t d = 1; d < slide::dimension_count; ++d)
        if (s.slide.counts()[d] > 1)
            dimensions.push_back({{"letter", std::string(1, slide::dimension_letters[d])},
                                  {"first", s.slide.first()[d]},
                                  {"count", s.slide.counts()[d]}});
    Json scenes = Json::array();
    for (slide::Scene const& scene : s.slide.scenes())
        if (scene.id != slide::none) scenes.push_back(scene_json(scene, m));
    return {{"id", s.id},
            {"name", name_of(s.path)},
            {"path", s.path},
            {"bounds", json_of(s.slide.bounds())},
            {"zooms", zooms_of(s.slide.bounds())},
            {"pixel_um", {m.x_um, m.y_um}},
            {"z_um", m.z_um},
            {"interval_s", m.t_s},
            {"dimensions", std::move(dimensions)},
            {"channels", channels_of(s)},
            {"scenes", std::move(scenes)},
            {"notes", s.content.notes},
            {"info", app::json_of(s.slide, s.content)}};
}

Result<server::SharedMessage> answer_tile(ShownSlide const& shown, TileRequest const& request,
                                          TileOptions const& options, Json header) {
    slide::Slide const& slide = shown.slide;
    slide::Selection region;
    SLUICE_TRY(region.plane, plane_of(slide, request));
    SLUICE_TRY(region.rect, rect_of(slide.bounds(), request));
    std::vector<slide::BadTile> bad;
    slide::ReadOptions read;
    std::size_t const hits = slide.find(region.plane, 0, *region.rect).size();
    header["empty"] = hits == 0;
    if (hits == 0) return text_message(header);
    read.threads = hits >= many_tiles ? 0 : 1;
    SLUICE_TRY(slide::PixelType const type, slide.pixel_type(region.plane));
    read.background = background_of(slide::format_of(type));
    read.fill_bad = 0;
    read.bad = &bad;
    read.reduced = true;
    read.cache = options.cache;
    read.progress = options.progress;
    SLUICE_TRY(slide::Image const image,
               slide.read_at(region, std::ldexp(1.0, -request.zoom), read));
    header["bad"] = bad_tiles(slide, bad);
    SLUICE_TRY(Values values, values_of(image));
    ArrayMessage message;
    message.add_bytes("pixels", values.dtype,
                      {image.shape.height, image.shape.width, image.shape.samples},
                      std::move(values.bytes));
    return message.finish(std::move(header));
}

Result<server::SharedMessage> answer_attachment(ShownSlide const& shown,
                                                AttachmentRequest const& request, Json header) {
    auto const& list = shown.content.attachments;
    if (request.number >= list.size())
        return Error{Code::not_found, fmt::format("there is no attachment {} (the file has {})",
                                                  request.number, list.size())};
    slide::Attachment const& a = list[request.number];
    if (a.data_size > max_attachment)
        return Error{
            Code::unsupported,
            fmt::format("the attachment {} is too large to show ({} bytes)", a.name, a.data_size)};
    SLUICE_TRY(std::vector<std::byte> const bytes, shown.slide.read(a));
    ArrayMessage message;
    message.add_bytes("bytes", "uint8", {std::ssize(bytes)}, text_of(bytes));
    return message.finish(std::move(header));
}

}  // namespace sluice::app
