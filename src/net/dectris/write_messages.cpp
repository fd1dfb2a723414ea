// Writes the messages of DECTRIS' Stream V2, for the simulator.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "net/dectris/messages.h"

namespace sluice::net::dectris {
namespace {

using cbor::Writer;

/// Ticks of a clock in a second: what times are multiples of.
constexpr std::uint64_t time_base = 1'000'000'000;

void head(Writer& w, std::uint64_t pairs, std::string_view type, Start const& start) {
    w.map(pairs);
    w.text("type"), w.text(type);
    w.text("series_id"), w.natural(start.series_id);
    w.text("series_unique_id"), w.text(start.series_unique_id);
}

void time(Writer& w, double seconds) {
    w.array(2);
    w.natural(static_cast<std::uint64_t>(std::llround(seconds * static_cast<double>(time_base))));
    w.natural(time_base);
}

void masks(Writer& w, Start const& start) {
    w.map(start.pixel_masks.size());
    for (auto const& [name, values] : start.pixel_masks) {
        w.text(name);
        cbor::TypedArray const array{.dtype = DType::u32,
                                     .dimensions = 2,
                                     .shape = {start.rows, start.cols},
                                     .bytes = std::as_bytes(std::span(values))};
        cbor::write_typed_head(w, array);
        w.raw(array.bytes);
    }
}

}  // namespace

std::vector<std::byte> write_start(Start const& s) {
    Writer w;
    std::uint64_t const said = std::uint64_t{s.saturation.has_value()} + (s.energy_ev > 0 ? 1 : 0) +
                               (s.scan ? 1 : 0) + (s.pixel_masks.empty() ? 0 : 1) +
                               (s.pixel_m > 0 ? 2 : 0);
    head(w, 12 + said, "start", s);
    w.text("number_of_images"), w.natural(static_cast<std::uint64_t>(s.images));
    w.text("image_size_x"), w.natural(static_cast<std::uint64_t>(s.cols));
    w.text("image_size_y"), w.natural(static_cast<std::uint64_t>(s.rows));
    w.text("image_dtype"), w.text(name_of(s.dtype));
    w.text("channels"), w.array(s.channels.size());
    for (std::string const& name : s.channels) w.text(name);
    w.text("arm_date"), w.tag(cbor::date_tag), w.text(s.arm_date);
    w.text("detector_description"), w.text(s.detector);
    w.text("frame_time"), time(w, s.frame_time_s);
    w.text("pixel_mask_enabled"), w.boolean(s.mask_applied);
    if (s.saturation) w.text("saturation_value"), w.natural(*s.saturation);
    if (s.energy_ev > 0) w.text("incident_energy"), w.real(s.energy_ev);
    if (!s.pixel_masks.empty()) w.text("pixel_mask"), masks(w, s);
    if (s.pixel_m > 0) {
        w.text("pixel_size_x"), w.real(s.pixel_m);
        w.text("pixel_size_y"), w.real(s.pixel_m);
    }
    if (s.scan) {
        w.text("user_data"), w.map(1), w.text("scan"), w.array(2);
        for (index const n : *s.scan) w.natural(static_cast<std::uint64_t>(n));
    }
    return std::move(w).take();
}

std::vector<std::byte> write_image(Image const& image, Start const& start, Bytes data) {
    Writer w;
    head(w, 8, "image", start);
    w.text("image_id"), w.natural(image.image_id);
    double const begin = static_cast<double>(image.image_id) * start.frame_time_s;
    w.text("start_time"), time(w, begin);
    w.text("stop_time"), time(w, begin + start.frame_time_s);
    w.text("real_time"), time(w, start.frame_time_s);
    w.text("data"), w.map(1), w.text(start.channels.front());
    cbor::TypedArray array = image.data;
    array.bytes = data;
    cbor::write_typed_head(w, array);
    w.raw(data);
    return std::move(w).take();
}

std::vector<std::byte> write_end(Start const& start) {
    Writer w;
    head(w, 3, "end", start);
    return std::move(w).take();
}

}  // namespace sluice::net::dectris
