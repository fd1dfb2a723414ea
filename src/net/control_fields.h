// The table of what a detector is armed with.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net/words.h"

namespace sluice::net {

config::Fields<ArmOptions> arm_fields();

}  // namespace sluice::net
