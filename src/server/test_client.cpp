// The client of the tests, on Boost.Beast.
// SPDX-License-Identifier: Apache-2.0
#include "server/test_client.h"

#include <fmt/format.h>

#include <boost/asio/connect.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>

namespace sluice::server {

namespace beast = boost::beast;
using tcp = boost::asio::ip::tcp;

HttpAnswer http_get(std::uint16_t port, std::string const& target,
                    std::vector<std::string> const& headers, std::string const& host,
                    std::string const& method) {
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

struct TestClient::State {
    boost::asio::io_context io;
    beast::websocket::stream<tcp::socket> stream{io};
};

TestClient::TestClient(std::uint16_t port, std::string const& token, std::string const& origin)
    : state_(std::make_unique<State>()) {
    auto& stream = state_->stream;
    stream.next_layer().connect({boost::asio::ip::make_address("127.0.0.1"), port});
    stream.set_option(
        beast::websocket::stream_base::decorator([&](beast::websocket::request_type& r) {
            if (!origin.empty()) r.set(beast::http::field::origin, origin);
        }));
    stream.read_message_max(0);
    stream.handshake(fmt::format("127.0.0.1:{}", port), "/live?token=" + token);
}
TestClient::TestClient(TestClient&&) noexcept = default;
TestClient::~TestClient() = default;

void TestClient::send(std::string const& text) {
    state_->stream.text(true);
    state_->stream.write(boost::asio::buffer(text));
}

void TestClient::send_binary(std::string const& bytes) {
    state_->stream.binary(true);
    state_->stream.write(boost::asio::buffer(bytes));
}

Message TestClient::receive() {
    beast::flat_buffer buffer;
    state_->stream.read(buffer);
    return {beast::buffers_to_string(buffer.data()), state_->stream.got_binary()};
}

unsigned TestClient::wait_for_close() {
    try {
        while (true) receive();
    } catch (boost::system::system_error const&) {
        return state_->stream.reason().code;
    }
}

std::string TestClient::reason() const {
    auto const& text = state_->stream.reason().reason;
    return {text.data(), text.size()};
}

void TestClient::close() {
    state_->stream.close(beast::websocket::close_code::normal);
}

void TestClient::half_close() {
    state_->stream.next_layer().shutdown(tcp::socket::shutdown_send);
}

void TestClient::vanish() {
    state_->stream.next_layer().close();
}

}  // namespace sluice::server
