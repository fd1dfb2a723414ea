// The order in which a stream's images visit the points of a scan.
// SPDX-License-Identifier: Apache-2.0
#include "net/scan_path.h"

namespace sluice::net {

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

}  // namespace sluice::net
