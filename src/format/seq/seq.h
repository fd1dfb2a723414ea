// Sequences (SEQ) of NorPix' StreamPix, as Direct Electron's cameras write them, too.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/table.h"

namespace sluice::seq {

/// What the header says; all numbers are little-endian.
struct Header {
    index rows = 0, cols = 0, frames = 0;
    int bytes = 1;  ///< of a pixel
    std::uint64_t data_at = 0, stride = 0;
    double frames_per_s = 0;
};
Result<Header> parse_header(Bytes head);

bool recognises(std::string_view path, Bytes head);
Result<Dataset> open(std::string const& path, OpenOptions const& options);

inline constexpr Format format{.name = "seq",
                               .title = "sequences (SEQ) of NorPix' StreamPix",
                               .recognises = recognises,
                               .open = open};

}  // namespace sluice::seq
