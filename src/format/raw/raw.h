// Raw binary files: frames one after another, with the shape and type given by the user.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/table.h"

namespace sluice::raw {

/// By its name alone: .raw, .bin or .dat; sluice::open also comes here when a frame shape is given.
bool recognises(std::string_view path, Bytes head);
Result<Dataset> open(std::string const& path, OpenOptions const& options);

inline constexpr config::Field<OpenOptions> raw_fields[] = {
    axis_order_field,
    format_field<&RawOptions::raw_dtype>("raw_dtype",
                                         "raw files: uint8, uint16, uint32 or float32"),
    format_shape<&RawOptions::raw_frame>("raw_frame", "raw files: detector shape ROWSxCOLUMNS"),
    format_field<&RawOptions::raw_offset>("raw_offset", "raw files: bytes before the first frame"),
};
inline constexpr std::string_view growing_files[] = {".raw", ".bin", ".dat"};
inline constexpr Format format{
    .name = "raw",
    .title = "raw binary, with --raw-frame and --raw-dtype",
    .recognises = recognises,
    .open = open,
    .fields = raw_fields,
    .chosen = [](OpenOptions const& o) { return o.format.of<RawOptions>().raw_frame.has_value(); },
    .while_written = growing_files};

}  // namespace sluice::raw
