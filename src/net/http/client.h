// request(): asks a server by plain HTTP, within bounds of time and size.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

#include "net/http/message.h"
#include "sluice/result.h"
#include "sluice/stream.h"

namespace sluice::net::http {

struct Patience {
    std::chrono::milliseconds connect{3000};
    std::chrono::milliseconds answer{10000};  ///< for the whole of it
    std::size_t most_bytes = std::size_t{64} << 20;
    GoOn go_on = {};  ///< asked on the way; its no ends the request
};

/// The address is "http://dcu:80", "tcp://..." or "ipc://file". No redirect is followed, no proxy
/// is used. Errors: nobody answers, an answer that is none, is too large, or takes too long.
Result<Reply> request(std::string const& address, Request const& what, Patience const& patience);

}  // namespace sluice::net::http
