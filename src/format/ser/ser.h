// SER files of FEI's TIA: series of images or spectra.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/table.h"

namespace sluice::ser {

bool recognises(std::string_view path, Bytes head);
Result<Dataset> open(std::string const& path, OpenOptions const& options);

inline constexpr Format format{
    .name = "ser", .title = "series (SER) of FEI's TIA", .recognises = recognises, .open = open};

}  // namespace sluice::ser
