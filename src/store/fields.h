// The table of LoadOptions: options of the command line and names of Python's arguments.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "config/field.h"
#include "sluice/load.h"

namespace sluice {

/// A region as "10:42,0:64": the first row and one past the last, and the same of columns.
Status read_value(config::Shown const& shown, std::string_view text, Region& out);
std::string value_text(Region const& region);

/// What is read of an acquisition. Masks are files or arrays, and not texts.
config::Fields<LoadOptions> load_fields();
/// The angle of a detector pixel, of verbs that measure by it.
config::Field<LoadOptions> const& detector_step_field();

}  // namespace sluice
