// JSON whose keys keep the order they were given in.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

namespace sluice::bench {

using Json = nlohmann::ordered_json;

}  // namespace sluice::bench
