// A blocking HTTP and WebSocket client for tests; Beast stays behind it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "server/outbox.h"

namespace sluice::server {

struct HttpAnswer {
    unsigned status = 0;
    std::string body, type, policy;
};

/// One request; `headers` are lines as in "Origin: http://evil".
HttpAnswer http_get(std::uint16_t port, std::string const& target,
                    std::vector<std::string> const& headers = {}, std::string const& host = "",
                    std::string const& method = "GET");

/// A WebSocket of a server on this machine. What fails throws boost::system::system_error.
class TestClient {
  public:
    /// Connects; throws where the server refuses. `origin` empty: none is sent.
    explicit TestClient(std::uint16_t port, std::string const& token = "secret",
                        std::string const& origin = "");
    TestClient(TestClient&&) noexcept;
    ~TestClient();

    void send(std::string const& text);
    void send_binary(std::string const& bytes);
    /// The next message; throws when the connection ends.
    Message receive();
    /// Waits until the server closes; the code it gave.
    unsigned wait_for_close();
    /// Why, after that.
    std::string reason() const;
    void close();
    /// Will write no more, and says so to the socket alone.
    void half_close();
    /// Closes the socket without a word of farewell.
    void vanish();

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace sluice::server
