// What a dataset knows of itself as JSON, for formats whose attributes can hold any: the
// calibration in the units of Dataset's names, masks, missing frames, metadata.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sluice/dataset.h"

namespace sluice {

/// The text of a JSON object.
std::string described(Dataset const& dataset);

/// Takes over what such an object says; shapes and types are the reader's own. What makes no sense
/// is left out, and the notes say so.
void take_description(std::string const& json, Dataset& into);

}  // namespace sluice
