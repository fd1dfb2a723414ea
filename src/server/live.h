// Live: a connection that has become a WebSocket.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>

#include "server/connection.h"

namespace sluice::server {

/// Accepts the upgrade that `request` asks for, and serves the socket until it ends.
void start_live(asio::ip::tcp::socket socket,
                boost::beast::http::request<boost::beast::http::string_body> request,
                Shared& shared);

}  // namespace sluice::server
