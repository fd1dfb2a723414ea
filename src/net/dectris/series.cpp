// What a series of DECTRIS' streams says of itself.
// SPDX-License-Identifier: Apache-2.0
#include "net/dectris/series.h"

#include <fmt/format.h>

namespace sluice::net::dectris {

Series series_of(Start const& start, std::string const& channel, std::string const& address,
                 std::string const& format) {
    Series s{
        .name = fmt::format("{}", start.series_id), .images = start.images, .scan = start.scan};
    Dataset& d = s.dataset;
    d.path = address;
    d.format = format;
    d.dtype = start.dtype;
    d.rows = start.rows, d.cols = start.cols;
    d.saturation = start.saturation;
    d.sentinel = start.mask_applied;
    if (auto const it = start.pixel_masks.find(channel); it != start.pixel_masks.end())
        d.pixel_mask = it->second;
    else
        d.notes.emplace_back("the stream says no pixel mask: only --mask leaves pixels out");
    d.energy_kv = start.energy_ev / 1e3;
    d.detector_pixel_um = start.pixel_m * 1e6;
    d.dwell_s = start.frame_time_s;
    auto const add = [&](char const* name, std::string const& value) {
        if (!value.empty()) d.metadata.push_back({name, value, ""});
    };
    add("detector", start.detector);
    add("detector number", start.serial_number);
    add("date", start.arm_date);
    add("series", s.name);
    add("channel", channel);
    return s;
}

}  // namespace sluice::net::dectris
