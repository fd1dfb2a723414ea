// FRMS6 files of PNDetector's pnCCD: NAME_000.frms6 with dark frames, the frames in NAME_001.frms6
// and so on, and NAME.hdr.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/table.h"

namespace sluice::frms6 {

/// By the ending .frms6.
bool recognises(std::string_view path, Bytes head);
/// Any file of an acquisition opens all of it.
Result<Dataset> open(std::string const& path, OpenOptions const& options);
/// All but the first file of frames.
bool is_part(std::string const& path);

inline constexpr Format format{.name = "frms6",
                               .title = "frames (FRMS6) of PNDetector's pnCCD",
                               .recognises = recognises,
                               .open = open,
                               .is_part = is_part};

}  // namespace sluice::frms6
