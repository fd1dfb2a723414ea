// The header of an NPY file, version 1.0, as NumPy writes it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sluice/view.h"

namespace sluice::save {

/// `descr` as Python has it: "'<f4'", or the list of a record's fields.
std::string npy_header(std::string_view descr, std::vector<index> const& shape);

}  // namespace sluice::save
