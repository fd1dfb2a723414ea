// DM3 and DM4 files of Gatan's DigitalMicrograph: images, stacks, 4D-STEM and spectrum images.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/table.h"

namespace sluice::dm {

/// By the version and byte order at its beginning.
bool recognises(std::string_view path, Bytes head);
Result<Dataset> open(std::string const& path, OpenOptions const& options);

inline constexpr config::Field<OpenOptions> dm_fields[] = {
    axis_order_field,
    format_field<&DmOptions::dm_image>("dm_image",
                                       "DM3 and DM4 files: which of several images, from 1 on"),
};
inline constexpr Format format{.name = "dm",
                               .title = "DigitalMicrograph DM3 and DM4 files of Gatan",
                               .recognises = recognises,
                               .open = open,
                               .fields = dm_fields};

}  // namespace sluice::dm
