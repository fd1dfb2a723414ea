// What a series of DECTRIS' streams says of itself, as all receivers say it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net/dectris/messages.h"
#include "net/receiver.h"

namespace sluice::net::dectris {

Series series_of(Start const& start, std::string const& channel, std::string const& address,
                 std::string const& format);

}  // namespace sluice::net::dectris
