// One request on one connection.
// SPDX-License-Identifier: Apache-2.0
#include "net/http/client.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "net/http/reply_reader.h"
#include "net/tcp.h"

namespace sluice::net::http {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds glance{50};
constexpr std::size_t piece = 64 << 10;

/// A request on its way: what errors name, and until when it may take.
class Call {
  public:
    Call(std::string const& address, Request const& what, Patience const& patience)
        : address_(address), what_(what), patience_(patience) {}

    Result<Reply> run() {
        SLUICE_TRY(TcpStream stream, connect());
        until_ = Clock::now() + patience_.answer;
        SLUICE_CHECK(send(stream));
        return receive(stream);
    }

  private:
    Error failed(std::string const& why, std::string_view advice) const {
        return {Code::io, fmt::format("{} {}: {}; {}", what_.method, what_.path, why, advice),
                address_};
    }
    Status check_time() const {
        if (patience_.go_on && !patience_.go_on())
            return Error{Code::cancelled,
                         fmt::format("{} {} was stopped", what_.method, what_.path), address_};
        if (Clock::now() < until_) return {};
        return failed(fmt::format("no whole answer came within {:g} s",
                                  std::chrono::duration<double>(patience_.answer).count()),
                      "look whether the detector's control unit is busy");
    }

    // As net/tcp.h has addresses; a port that is not said is 80.
    std::string socket_address() const {
        if (!address_.starts_with("http://")) return address_;
        std::string place = address_.substr(7);
        if (auto const slash = place.find('/'); slash != std::string::npos) place.resize(slash);
        auto const colon = place.rfind(':');
        bool const port = colon != std::string::npos && place.find(']', colon) == std::string::npos;
        return "tcp://" + place + (port ? "" : ":80");
    }

    // A queue that is full refuses for a moment.
    Result<TcpStream> connect() {
        auto const until = Clock::now() + patience_.connect;
        for (;;) {
            SLUICE_TRY(auto stream, TcpStream::call(socket_address(), patience_.connect));
            if (stream) return *std::move(stream);
            if (Clock::now() >= until || (patience_.go_on && !patience_.go_on()))
                return failed("nobody answers there",
                              "look at the address, and whether the detector is on");
            std::this_thread::sleep_for(glance);
        }
    }

    Status send(TcpStream& stream) const {
        std::string const place = socket_address();
        std::string const host = place.starts_with("tcp://") ? place.substr(6) : "localhost";
        std::string text = fmt::format(
            "{} {} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nAccept: application/json\r\n",
            what_.method, what_.path, host);
        if (!what_.body.empty()) text += "Content-Type: application/json\r\n";
        if (what_.method != "GET") text += fmt::format("Content-Length: {}\r\n", what_.body.size());
        text += "\r\n" + what_.body;
        for (Bytes left = std::as_bytes(std::span(text)); !left.empty();) {
            auto const gone = stream.send(left, glance);
            if (!gone) return failed("the connection broke", "try it again");
            left = left.subspan(*gone);
            SLUICE_CHECK(check_time());
        }
        return {};
    }

    Result<Reply> receive(TcpStream& stream) const {
        ReplyReader reader(patience_.most_bytes);
        std::vector<std::byte> room(piece);
        while (!reader.done()) {
            SLUICE_CHECK(check_time());
            auto const came = stream.receive(room, glance);
            if (Status const read = reader.put(std::span(room).first(came.bytes)); !read)
                return failed(read.error().message,
                              "look whether the address is that of the control port");
            if (!came.ended.empty() && !reader.end())
                return failed(fmt::format("the answer was cut off ({})", came.ended),
                              "try it again");
        }
        return reader.reply();
    }

    std::string const& address_;
    Request const& what_;
    Patience const& patience_;
    Clock::time_point until_ = {};
};

}  // namespace

Result<Reply> request(std::string const& address, Request const& what, Patience const& patience) {
    return Call(address, what, patience).run();
}

}  // namespace sluice::net::http
