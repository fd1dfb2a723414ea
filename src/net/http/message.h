// Requests and replies of HTTP, as control ports of detectors have them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace sluice::net::http {

struct Request {
    std::string method = "GET", path = "/";
    std::string body = {};  ///< JSON; empty: none
};

struct Reply {
    int status = 200;
    std::string reason = {};  ///< "Not Found"
    std::string body = {};
};

}  // namespace sluice::net::http
