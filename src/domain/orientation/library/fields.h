// The table of LibraryOptions.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "config/field.h"
#include "sluice/orientation_library.h"

namespace sluice::stem4d {

config::Fields<LibraryOptions> library_fields();

}  // namespace sluice::stem4d
