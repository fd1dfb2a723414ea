// What this build is called in provenance and `--version`.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace sluice {

extern std::string_view const version;  ///< as in "0.1.0"
extern std::string_view const commit;   ///< of the sources, as git describes it

}  // namespace sluice
