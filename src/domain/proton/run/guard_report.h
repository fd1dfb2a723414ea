// What guards say, as JSON, and as the error of a dose that would be wrong.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sluice/proton_guards.h"

namespace sluice::proton {

nlohmann::ordered_json to_json(std::vector<Guard> const& guards);
/// The error of guards that refuse, unless the caller wants the dose `anyway`. `path` is the
/// configuration's.
Status refuse(std::vector<Guard> const& guards, std::string const& path, bool anyway);

}  // namespace sluice::proton
