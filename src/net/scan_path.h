// frame_of(): the frames of a scan that a stream's images are.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/stream.h"

namespace sluice::net {

using Order = ScanOrder;
/// [image] the frame of the scan, -1: none; empty: image i is frame i.
std::vector<index> frame_of(ScanPath const& path);

}  // namespace sluice::net
