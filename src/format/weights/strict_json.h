// The header of safetensors as JSON, refused where a reader of JSON would guess.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "sluice/result.h"

namespace sluice::weights {

/// An object of objects with rows of numbers. A name that is there twice is an error: the format
/// forbids it, and a reader would take one of the two. So are more than `most_tensors` entries, and
/// more levels than a header has. Errors call the file `file`.
Result<nlohmann::json> read_header(std::string_view text, std::string const& file);

}  // namespace sluice::weights
