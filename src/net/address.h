// check_address(): addresses of streams.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sluice/result.h"

namespace sluice::net {

/// Refuses what is neither tcp:// nor ipc://, and ports that do not exist: libraries take what is
/// left of a large number.
Status check_address(std::string const& address);

}  // namespace sluice::net
