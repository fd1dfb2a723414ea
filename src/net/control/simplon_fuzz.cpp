// Fuzzes what a control unit answers: replies of SIMPLON by HTTP, one after the other.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>

#include "net/control/simplon.h"
#include "net/http/reply_reader.h"

namespace {

using namespace sluice;
using namespace sluice::net;

constexpr std::size_t most_body = 4096;

/// The reply, where there is one that comes in pieces of that size.
std::optional<http::Reply> read_reply(Bytes bytes, std::size_t piece) {
    http::ReplyReader reader(most_body);
    for (; !bytes.empty() && !reader.done(); bytes = bytes.subspan(std::min(piece, bytes.size())))
        if (!reader.put(bytes.first(std::min(piece, bytes.size())))) return {};
    if (!reader.end()) return {};
    return reader.reply();
}

}  // namespace

// A line of 0x1e ends a reply.
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    Bytes left = std::as_bytes(std::span(data, size));
    auto const ask = [&](std::string const&, http::Request const& what,
                         http::Patience const&) -> Result<http::Reply> {
        expects(what.path.starts_with('/') &&
                what.path.find_first_of(" \r\n") == std::string::npos);
        auto const end = std::ranges::find(left, std::byte{0x1e});
        Bytes const bytes(left.begin(), end);
        left = left.subspan(std::min(left.size(), bytes.size() + 1));
        auto const reply = read_reply(bytes, std::max<std::size_t>(1, bytes.size()));
        auto const in_pieces = read_reply(bytes, 7);
        expects(reply.has_value() == in_pieces.has_value());
        if (!reply) return Error{Code::io, "no reply", "there"};
        expects(reply->status == in_pieces->status && reply->body == in_pieces->body);
        expects(reply->body.size() <= most_body);
        return *reply;
    };
    auto const made = connect_simplon_by(ask, "http://dcu");
    if (!made) return 0;
    ControlPort& port = **made;
    // The order of a scan that is armed.
    static_cast<void>(port.status());
    static_cast<void>(port.get("nimages"));
    if (auto const changes = port.set("trigger_mode", "exts")) expects(changes->size() <= 64);
    if (auto const changes = port.set("stream/mode", "7"))
        expects(changes->front().name == "stream/mode");
    static_cast<void>(port.arm());
    static_cast<void>(port.trigger({}));
    static_cast<void>(port.disarm());
    return 0;
}
