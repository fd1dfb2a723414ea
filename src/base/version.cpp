// The one file that is compiled again for every commit.
// SPDX-License-Identifier: Apache-2.0
#include "base/version.h"

#include "build.h"

namespace sluice {

std::string_view const version = SLUICE_VERSION;
std::string_view const commit = SLUICE_COMMIT;

}  // namespace sluice
