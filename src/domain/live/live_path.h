// live_path(): which scan the images of a series make.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net/receiver.h"
#include "sluice/stem4d_live.h"

namespace sluice::live {

/// The order of a series' images, and who said the shape of the scan.
struct LivePath {
    ScanPath path = {};
    std::string scan_from = {};
    std::vector<std::string> notes = {};
};
Result<LivePath> live_path(stem4d::LiveOptions const& options, net::Series const& series);

}  // namespace sluice::live
