// The messages on the command port of Merlin: "MPX,0000000020,GET,ACQUISITIONTIME".
// Source: LiberTEM-live (MIT).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "net/tcp.h"
#include "sluice/stream.h"

namespace sluice::net::merlin {

constexpr std::uint16_t command_port = 6341;
/// Longer messages are none.
constexpr std::size_t most_command = 64 << 10;

std::vector<std::string> fields_of(std::string const& text);

/// Sends a message. Errors: the connection broke, or took nothing for so long.
Status send_command(TcpStream& stream, std::string const& text, std::string const& address,
                    std::chrono::milliseconds wait);
/// Waits for a message; empty: the other side is gone, or stop() said so, before one began.
/// Errors: no message, half a message, nothing for so long.
Result<std::optional<std::string>> receive_command(TcpStream& stream, std::string const& address,
                                                   std::chrono::milliseconds wait,
                                                   GoOn const& go_on = {});

}  // namespace sluice::net::merlin
