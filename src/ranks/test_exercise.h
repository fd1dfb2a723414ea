// What every communicator must do, for tests of each.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sluice/communicator.h"

namespace sluice {

/// What is wrong with the communicator, or nothing. Every rank calls it.
std::string exercise(Communicator& ranks);

}  // namespace sluice
