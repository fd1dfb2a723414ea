// One thread for who calls, and one for each request.
// SPDX-License-Identifier: Apache-2.0
#include "net/http/server.h"

#include <fmt/format.h>

#include <atomic>
#include <boost/asio/buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>

namespace sluice::net::http {
namespace {

namespace beast = boost::beast::http;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds look{20};
constexpr std::chrono::seconds most_wait{10};  // for a whole request
constexpr std::chrono::seconds most_send{2};
constexpr std::size_t most_connections = 16, most_body = 1 << 20;

// Also to who is answered while the server ends.
void send(TcpStream& to, Reply const& reply) {
    std::string const reason = reply.reason.empty() ? "OK" : reply.reason;
    std::string const text = fmt::format(
        "HTTP/1.1 {} {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n"
        "Connection: close\r\n\r\n{}",
        reply.status, reason, reply.body.size(), reply.body);
    auto const until = Clock::now() + most_send;
    for (Bytes left = std::as_bytes(std::span(text)); !left.empty() && Clock::now() < until;) {
        auto const gone = to.send(left, look);
        if (!gone) return;
        left = left.subspan(*gone);
    }
}

}  // namespace

Server::Server(TcpPort port, std::string address, Answer answer)
    : port_(std::move(port)),
      address_(std::move(address)),
      answer_(std::move(answer)),
      thread_([this](std::stop_token const& stop) { run(stop); }) {}

Server::~Server() {
    thread_.request_stop();
    if (thread_.joinable()) thread_.join();
}

Result<std::unique_ptr<Server>> Server::open(std::string const& address, Answer answer) {
    bool const web = address.starts_with("http://");
    SLUICE_TRY(TcpPort port, TcpPort::open(web ? "tcp://" + address.substr(7) : address));
    std::string const its = port.address().starts_with("tcp://")
                                ? "http://" + port.address().substr(6)
                                : port.address();
    return std::unique_ptr<Server>(new Server(std::move(port), its, std::move(answer)));
}

void Server::run(std::stop_token const& stop) {
    struct Visit {
        std::atomic<bool> done = false;
        std::jthread thread = {};
    };
    std::list<Visit> visits;
    while (!stop.stop_requested()) {
        visits.remove_if([](Visit const& v) { return v.done.load(); });
        if (visits.size() >= most_connections) {
            std::this_thread::sleep_for(look);
            continue;
        }
        auto stream = port_.accept(look);
        if (!stream) continue;
        Visit& visit = visits.emplace_back();
        visit.thread = std::jthread([this, &visit, &stop, s = *std::move(stream)]() mutable {
            serve(std::move(s), stop);
            visit.done = true;
        });
    }
}

void Server::serve(TcpStream stream, std::stop_token const& stop) const {
    beast::request_parser<beast::string_body> parser;
    parser.body_limit(most_body);
    parser.eager(true);
    std::vector<std::byte> waiting;
    auto const until = Clock::now() + most_wait;
    while (!parser.is_done()) {
        if (stop.stop_requested() || Clock::now() > until) return;
        std::size_t const before = waiting.size();
        waiting.resize(before + 4096);
        auto const came = stream.receive(std::span(waiting).subspan(before), look);
        waiting.resize(before + came.bytes);
        boost::system::error_code wrong;
        std::size_t const taken =
            parser.put(boost::asio::buffer(waiting.data(), waiting.size()), wrong);
        waiting.erase(waiting.begin(), waiting.begin() + static_cast<std::ptrdiff_t>(taken));
        if (wrong && wrong != beast::error::need_more)
            return send(stream, {400, "Bad Request", "\"no HTTP\""});
        if (!came.ended.empty() && !parser.is_done()) return;
    }
    auto const& message = parser.get();
    auto const text = [](auto const& view) { return std::string(view.data(), view.size()); };
    Request const request{text(message.method_string()), text(message.target()), message.body()};
    send(stream, answer_(request, [&] { return !stop.stop_requested(); }));
}

}  // namespace sluice::net::http
