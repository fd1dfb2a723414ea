// Writes the messages of DECTRIS' Stream V1, for the simulator.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "codec/md5/md5.h"
#include "net/dectris/parts.h"

namespace sluice::net::dectris {
namespace {

Part part(Bytes bytes) {
    return std::make_shared<std::vector<std::byte> const>(bytes.begin(), bytes.end());
}

Part part(std::string const& text) {
    return part(std::as_bytes(std::span(text)));
}

std::string config(Start const& s) {
    std::string text = fmt::format(
        R"({{"ntrigger":{},"nimages":1,"trigger_mode":"exts","x_pixels_in_detector":{},)"
        R"("y_pixels_in_detector":{},"bit_depth_image":{},"pixel_mask_applied":{},)"
        R"("description":"{}","data_collection_date":"{}","frame_time":{},"count_time":{})",
        s.images, s.cols, s.rows, 8 * size_of(s.dtype), s.mask_applied, s.detector, s.arm_date,
        s.frame_time_s, s.frame_time_s);
    if (s.saturation)
        text += fmt::format(R"(,"countrate_correction_count_cutoff":{})", *s.saturation);
    if (s.energy_ev > 0) text += fmt::format(R"(,"incident_energy":{})", s.energy_ev);
    if (s.pixel_m > 0)
        text += fmt::format(R"(,"x_pixel_size":{},"y_pixel_size":{})", s.pixel_m, s.pixel_m);
    return text + "}";
}

void add_array(std::vector<Part>& parts, std::string_view name, Start const& s,
               std::string_view type, Bytes bytes) {
    parts.push_back(part(fmt::format(R"({{"htype":"{}-1.0","shape":[{},{}],"type":"{}"}})", name,
                                     s.cols, s.rows, type)));
    parts.push_back(part(bytes));
}

}  // namespace

std::vector<Part> write_header_parts(Start const& s, HeaderDetail detail) {
    char const* const words[] = {"none", "basic", "all"};
    std::vector<Part> parts{
        part(fmt::format(R"({{"htype":"dheader-1.0","series":{},"header_detail":"{}"}})",
                         s.series_id, words[static_cast<std::size_t>(detail)]))};
    if (detail != HeaderDetail::none) parts.push_back(part(config(s)));
    if (detail == HeaderDetail::all) {
        auto const pixels = static_cast<std::size_t>(s.rows * s.cols);
        std::vector<float> const flat(pixels, 1.0F), table(4, 1.0F);
        add_array(parts, "dflatfield", s, "float32", std::as_bytes(std::span(flat)));
        std::vector<std::uint32_t> const none(pixels);
        auto const it = s.pixel_masks.begin();
        auto const& mask = it == s.pixel_masks.end() ? none : it->second;
        add_array(parts, "dpixelmask", s, "uint32", std::as_bytes(std::span(mask)));
        parts.push_back(part(
            std::string(R"({"htype":"dcountrate_table-1.0","shape":[2,2],"type":"float32"})")));
        parts.push_back(part(std::as_bytes(std::span(table))));
    }
    if (s.scan)
        parts.push_back(part(fmt::format(R"({{"scan":[{},{}]}})", (*s.scan)[0], (*s.scan)[1])));
    return parts;
}

std::vector<Part> write_image_parts(Start const& s, std::uint64_t frame, std::string_view encoding,
                                    Bytes data) {
    auto const ns = [&](std::uint64_t n) {
        return static_cast<std::uint64_t>(
            std::llround(static_cast<double>(n) * s.frame_time_s * 1e9));
    };
    return {
        part(fmt::format(R"({{"htype":"dimage-1.0","series":{},"frame":{},"hash":"{}"}})",
                         s.series_id, frame, codec::md5(data))),
        part(fmt::format(
            R"({{"htype":"dimage_d-1.0","shape":[{},{}],"type":"{}","encoding":"{}","size":{}}})",
            s.cols, s.rows, name_of(s.dtype), encoding, data.size())),
        part(data),
        part(fmt::format(
            R"({{"htype":"dconfig-1.0","start_time":{},"stop_time":{},"real_time":{}}})", ns(frame),
            ns(frame + 1), ns(1)))};
}

std::vector<Part> write_end_parts(Start const& s) {
    return {part(fmt::format(R"({{"htype":"dseries_end-1.0","series":{}}})", s.series_id))};
}

}  // namespace sluice::net::dectris
