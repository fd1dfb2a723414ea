// NPY files: an array of frames as numpy.save writes it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/table.h"

namespace sluice::npy {

bool recognises(std::string_view path, Bytes head);
/// 3-D [frame][row][col] or 4-D [scan row][scan column][row][col], in C order.
Result<Dataset> open(std::string const& path, OpenOptions const& options);

inline constexpr config::Field<OpenOptions> npy_fields[] = {axis_order_field};
inline constexpr std::string_view growing_files[] = {".npy"};
inline constexpr Format format{.name = "npy",
                               .title = "NumPy array file, 3-D or 4-D",
                               .recognises = recognises,
                               .open = open,
                               .fields = npy_fields,
                               .while_written = growing_files};

}  // namespace sluice::npy
