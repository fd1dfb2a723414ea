// The table of what receivers are asked for with.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net/receiver.h"
#include "net/words.h"

namespace sluice::net {

config::Fields<StreamOptions> stream_fields();

}  // namespace sluice::net
