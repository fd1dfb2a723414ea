// MRC files: stacks of frames as Velox, Direct Electron, IMOD and mrcfile write them.
// Source: MRC2014, https://www.ccpem.ac.uk/mrc_format/mrc2014.php
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/raw/flat_scan.h"
#include "format/table.h"

namespace sluice::mrc {

struct Header {
    StoredType stored;
    index cols = 0, rows = 0, sections = 0;
    std::uint64_t data_at = 0;
    bool packed = false;  ///< each section by Blosc (MRCZ)
    std::optional<ScanGrid> volumes =
        {};  ///< of a stack of volumes: how many, of how many sections
    std::optional<double> pixel_angstrom = {};
    std::vector<std::string> labels = {};
};
Result<Header> parse_header(Bytes head);

/// By its mark, MAP, or without that by its ending and a header that makes sense.
bool recognises(std::string_view path, Bytes head);
Result<Dataset> open(std::string const& path, OpenOptions const& options);

inline constexpr Format format{
    .name = "mrc",
    .title = "MRC stacks (modes 0, 1, 2, 6, 12), of Direct Electron and MRCZ, too",
    .recognises = recognises,
    .open = open};

}  // namespace sluice::mrc
