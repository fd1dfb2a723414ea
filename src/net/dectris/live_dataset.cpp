// The scan of a series as a dataset, and the order of its images.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "net/dectris/stream2.h"

namespace sluice::net::dectris {

std::vector<index> frame_of(ScanPath const& path) {
    if (!path.points.empty()) return path.points;
    if (path.order == Order::raster && path.flyback == 0) return {};
    std::vector<index> frames;
    auto const [rows, cols] = path.scan;
    for (index r = 0; r < rows; ++r) {
        bool const back = path.order == Order::serpentine && r % 2 == 1;
        for (index c = 0; c < cols; ++c) frames.push_back(r * cols + (back ? cols - 1 - c : c));
        frames.insert(frames.end(), static_cast<std::size_t>(path.flyback), -1);
    }
    return frames;
}

Dataset live_dataset(Start const& start, std::string const& channel, std::string const& address,
                     std::array<index, 2> scan, std::string const& scan_from,
                     std::shared_ptr<FrameRing> ring) {
    Dataset d;
    d.path = address;
    d.format = "DECTRIS Stream V2";
    d.dtype = start.dtype;
    d.rows = start.rows, d.cols = start.cols;
    d.scan = scan;
    d.scan_from = scan_from;
    d.frames = scan[0] * scan[1];
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
    add("series", fmt::format("{}", start.series_id));
    add("channel", channel);
    d.source = ring;
    d.feed = std::move(ring);
    return d;
}

}  // namespace sluice::net::dectris
