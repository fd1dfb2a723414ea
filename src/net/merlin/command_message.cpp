// The messages on the command port of Merlin.
// SPDX-License-Identifier: Apache-2.0
#include "net/merlin/command_message.h"

#include <fmt/format.h>

#include <charconv>

#include "net/merlin/messages.h"

namespace sluice::net::merlin {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds glance{50};

Error broken(std::string const& why, std::string const& address) {
    return {Code::io, why + "; look whether the address is that of the command port", address};
}

// Bytes that the prefix says, without its comma; nothing: no prefix.
std::optional<std::size_t> size_in(std::string_view prefix) {
    std::size_t size = 0;
    char const* const end = prefix.data() + prefix_bytes - 1;
    auto const [at, wrong] = std::from_chars(prefix.data() + 4, end, size);
    if (!prefix.starts_with("MPX,") || at != end || wrong != std::errc() || *end != ',' ||
        size < 1 || size > most_command)
        return {};
    return size - 1;
}

}  // namespace

std::vector<std::string> fields_of(std::string const& text) {
    std::vector<std::string> fields(1);
    for (char const c : text)
        if (c == ',')
            fields.emplace_back();
        else if (c != '\r' && c != '\n')
            fields.back() += c;
    return fields;
}

Status send_command(TcpStream& stream, std::string const& text, std::string const& address,
                    std::chrono::milliseconds wait) {
    std::string const message = prefix_of(text.size()) + text;
    auto const until = Clock::now() + wait;
    for (Bytes left = std::as_bytes(std::span(message)); !left.empty();) {
        auto const gone = stream.send(left, glance);
        if (!gone) return broken("the connection broke while a command was sent", address);
        left = left.subspan(*gone);
        if (*gone == 0 && Clock::now() >= until)
            return broken("the detector takes no command", address);
    }
    return {};
}

Result<std::optional<std::string>> receive_command(TcpStream& stream, std::string const& address,
                                                   std::chrono::milliseconds wait,
                                                   GoOn const& go_on) {
    auto const until = Clock::now() + wait;
    std::string got;
    std::size_t wanted = prefix_bytes;
    while (got.size() < wanted) {
        std::size_t const before = got.size();
        got.resize(wanted);
        auto const came = stream.receive(
            std::as_writable_bytes(std::span(got)).subspan(before, wanted - before), glance);
        got.resize(before + came.bytes);
        if (got.size() == prefix_bytes && wanted == prefix_bytes) {
            auto const size = size_in(got);
            if (!size) return broken("what came begins no message (MPX)", address);
            wanted += *size;
        }
        // LiberTEM-live's simulator counts its answers without the comma: the last byte is left.
        if (got.size() == wanted && wanted > prefix_bytes && got.back() == ',') ++wanted;
        if (got.size() == wanted && wanted > prefix_bytes) break;
        if (!came.ended.empty()) {
            if (got.empty()) return std::optional<std::string>();
            return broken("a message was cut off: " + came.ended, address);
        }
        if (go_on && got.empty() && !go_on()) return std::optional<std::string>();
        if (Clock::now() >= until)
            return broken(fmt::format("no whole message came within {:g} s",
                                      std::chrono::duration<double>(wait).count()),
                          address);
    }
    return std::optional(got.substr(prefix_bytes));
}

}  // namespace sluice::net::merlin
