// connect_simplon_by(): SIMPLON's API by any way of asking.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "net/control/control_port.h"
#include "net/http/client.h"

namespace sluice::net {

/// As http::request.
using Asker = std::function<Result<http::Reply>(std::string const& address, http::Request const&,
                                                http::Patience const&)>;

Result<std::unique_ptr<ControlPort>> connect_simplon_by(Asker asker, std::string const& address);

}  // namespace sluice::net
