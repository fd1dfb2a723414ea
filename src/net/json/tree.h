// read_json(): a JSON text that others wrote, as a tree of bounded size.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "sluice/result.h"

namespace sluice::net {

/// Errors: no JSON, brackets in more than 32 brackets, more than a million values.
Result<nlohmann::json> read_json(std::string_view text);

/// A text without its quotes; of all else the JSON.
std::string plain_text(nlohmann::json const& value);

}  // namespace sluice::net
