// TIFF stacks: a page for each frame, classic and BigTIFF, of ImageJ and tifffile, too.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/table.h"

namespace sluice::tiff {

/// By its first bytes; not slides and events, which are TIFF files under other names.
bool recognises(std::string_view path, Bytes head);
Result<Dataset> open(std::string const& path, OpenOptions const& options);

inline constexpr Format format{.name = "tiff",
                               .title = "TIFF stacks, classic and BigTIFF, of ImageJ, too",
                               .recognises = recognises,
                               .open = open};

}  // namespace sluice::tiff
