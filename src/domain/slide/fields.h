// The tables of what slides are read and converted with: options of the command line and names of
// Python's arguments.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "config/field.h"
#include "sluice/convert.h"

namespace sluice::slide {

config::Fields<ReadOptions> read_fields();
config::Fields<ConvertOptions> convert_fields();

}  // namespace sluice::slide
