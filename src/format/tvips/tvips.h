// Recordings of TVIPS' cameras: scan_000.tvips and the numbered files after it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/table.h"

namespace sluice::tvips {

/// By the ending .tvips.
bool recognises(std::string_view path, Bytes head);
/// Any file of a recording opens all of it.
Result<Dataset> open(std::string const& path, OpenOptions const& options);
/// All but the first file.
bool is_part(std::string const& path);

inline constexpr config::Field<OpenOptions> tvips_fields[] = {
    format_field<&TvipsOptions::tvips_start>(
        "tvips_start",
        "TVIPS recordings: the scan\'s first frame, from 1 on, when the frames do not say"),
};
inline constexpr Format format{.name = "tvips",
                               .title = "recordings (TVIPS) of TVIPS",
                               .recognises = recognises,
                               .open = open,
                               .fields = tvips_fields,
                               .is_part = is_part};

}  // namespace sluice::tvips
