// The table of OpenOptions: options of the command line and names of Python's arguments.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "config/field.h"
#include "sluice/dataset.h"

namespace sluice {

/// How acquisitions are opened.
config::Fields<OpenOptions> open_fields();

}  // namespace sluice
