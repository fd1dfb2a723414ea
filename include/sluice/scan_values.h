// Values of a scan as arrays have them: some frames, and a part of each.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "sluice/scan.h"

namespace sluice {

/// Values of some frames of the scan, in any order: [frame][row][col] of `part`, a rectangle of
/// detector pixels as loaded, in C order and of scan.dtype(). Frames are numbered row by row of the
/// scan as loaded. Of a streamed scan only what holds these frames is read: units of sixteen where
/// most of them is wanted, else single frames. Pixels that the loading left out are as loaded: 0
/// (NaN for means). `progress` counts frames; `notes` receives what reading met besides ordinary
/// counts. Errors: a frame or a part outside of the scan, a span of another size, those of reading.
Status read_frames(Scan const& scan, std::span<index const> frames, Region const& part,
                   std::span<std::byte> out, Progress const& progress = {},
                   std::vector<std::string>* notes = nullptr);

}  // namespace sluice
