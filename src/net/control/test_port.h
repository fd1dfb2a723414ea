// A port in tests that answers whoever calls with bytes that a test chose, as wrong as they are.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <thread>

#include "net/tcp.h"

namespace sluice::net {

/// Every caller hears the next answer, the last one again and again.
class TestPort {
  public:
    struct Answer {
        std::string bytes = {};
        bool drips = false;  ///< a byte each 20 ms
        bool stays = false;  ///< the connection is not closed
    };

    TestPort(TestPort const&) = delete;
    TestPort& operator=(TestPort const&) = delete;
    explicit TestPort(std::vector<Answer> answers)
        : answers_(std::move(answers)),
          thread_([this](std::stop_token const& stop) { run(stop); }) {}

    std::string http() const { return "http://" + port_.address().substr(6); }
    std::string const& tcp() const { return port_.address(); }

  private:
    void run(std::stop_token const& stop) {
        using namespace std::chrono_literals;
        std::vector<TcpStream> kept;
        for (std::size_t next = 0; !stop.stop_requested();) {
            auto stream = port_.accept(20ms);
            if (!stream) continue;
            std::array<std::byte, 4096> asked{};
            stream->receive(asked, 500ms);
            Answer const& answer = answers_[std::min(next++, answers_.size() - 1)];
            auto left = std::as_bytes(std::span(answer.bytes));
            while (!left.empty() && !stop.stop_requested()) {
                auto const gone = stream->send(left.first(answer.drips ? 1 : left.size()), 100ms);
                if (!gone) break;
                left = left.subspan(*gone);
                if (answer.drips) std::this_thread::sleep_for(20ms);
            }
            if (answer.stays) kept.push_back(*std::move(stream));
        }
    }

    TcpPort port_ = TcpPort::open("tcp://127.0.0.1:*").value();
    std::vector<Answer> answers_;
    std::jthread thread_;
};

}  // namespace sluice::net
