// A blocking HTTP and WebSocket client for tests.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <boost/asio/connect.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>

#include "server/outbox.h"

namespace sluice::server {

namespace beast = boost::beast;
using tcp = boost::asio::ip::tcp;

struct HttpAnswer {
    unsigned status = 0;
    std::string body, type, policy;
};

/// One request; `headers` are lines as in "Origin: http://evil".
inline HttpAnswer http_get(std::uint16_t port, std::string const& target,
                           std::vector<std::string> const& headers = {},
                           std::string const& host = "", std::string const& method = "GET") {
    boost::asio::io_context io;
    tcp::socket socket(io);
    socket.connect({boost::asio::ip::make_address("127.0.0.1"), port});
    std::string text = fmt::format("{} {} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n", method,
                                   target, host.empty() ? fmt::format("127.0.0.1:{}", port) : host);
    for (std::string const& line : headers) text += line + "\r\n";
    text += "\r\n";
    boost::asio::write(socket, boost::asio::buffer(text));
    beast::flat_buffer buffer;
    beast::http::response_parser<beast::http::string_body> parser;
    parser.skip(method == "HEAD");
    beast::error_code failed;
    beast::http::read(socket, buffer, parser, failed);
    auto const& r = parser.get();
    auto const field = [&](auto name) {
        auto const v = r[name];
        return std::string(v.data(), v.size());
    };
    return {r.result_int(), r.body(), field(beast::http::field::content_type),
            field("Content-Security-Policy")};
}

class TestClient {
  public:
    /// Connects; throws where the server refuses. `origin` empty: none is sent.
    explicit TestClient(std::uint16_t port, std::string const& token = "secret",
                        std::string const& origin = "")
        : stream_(io_) {
        stream_.next_layer().connect({boost::asio::ip::make_address("127.0.0.1"), port});
        stream_.set_option(
            beast::websocket::stream_base::decorator([&](beast::websocket::request_type& r) {
                if (!origin.empty()) r.set(beast::http::field::origin, origin);
            }));
        stream_.read_message_max(0);
        stream_.handshake(fmt::format("127.0.0.1:{}", port), "/live?token=" + token);
    }
    void send(std::string const& text) {
        stream_.text(true);
        stream_.write(boost::asio::buffer(text));
    }
    void send_binary(std::string const& bytes) {
        stream_.binary(true);
        stream_.write(boost::asio::buffer(bytes));
    }
    /// The next message; throws when the connection ends.
    Message receive() {
        beast::flat_buffer buffer;
        stream_.read(buffer);
        return {beast::buffers_to_string(buffer.data()), stream_.got_binary()};
    }
    /// Waits until the server closes; the code it gave.
    unsigned wait_for_close() {
        try {
            while (true) receive();
        } catch (boost::system::system_error const&) {
            return stream_.reason().code;
        }
    }
    /// Why, after that.
    std::string reason() const {
        auto const& text = stream_.reason().reason;
        return {text.data(), text.size()};
    }
    void close() { stream_.close(beast::websocket::close_code::normal); }
    tcp::socket& socket() { return stream_.next_layer(); }

  private:
    boost::asio::io_context io_;
    beast::websocket::stream<tcp::socket> stream_;
};

}  // namespace sluice::server
