// Scans of an EMPAD, the detector of Cornell and Thermo Fisher: frames (.raw) and their XML.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/table.h"

namespace sluice::empad {

/// The XML by its content. Frames by the XML beside them, or by a name such as scan_x64_y32.raw
/// together with the size that it tells.
bool recognises(std::string_view path, Bytes head);
/// The XML or the frames: either opens both.
Result<Dataset> open(std::string const& path, OpenOptions const& options);
/// An XML whose frames lie beside it: they stand for both.
bool is_part(std::string const& path);

inline constexpr Format format{.name = "empad",
                               .title = "EMPAD scans: .raw with its .xml",
                               .recognises = recognises,
                               .open = open,
                               .is_part = is_part};

}  // namespace sluice::empad
