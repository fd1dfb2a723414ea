// Server: a page and its WebSocket, for the few people who know the token.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "server/guard.h"
#include "server/outbox.h"

namespace sluice::server {

using ClientId = std::uint64_t;

/// A file of the page, compressed with gzip.
struct Asset {
    std::string_view type;  ///< as in "text/html; charset=utf-8"
    std::string_view gzip;
};

struct Options {
    std::string host = "127.0.0.1";  ///< an address of this machine to listen on
    std::uint16_t port = 0;          ///< 0: any that is free
    bool allow_remote = false;       ///< needed for an address that is not loopback
    std::string token = {};          ///< what a visitor must know
    /// The file for a path as in "/" or "/page.js"; null: not found.
    std::function<Asset const*(std::string_view path)> asset = {};
    std::size_t max_message = 64 << 10;   ///< bytes a client may send at once
    std::size_t max_clients = 64;         ///< WebSockets at a time
    std::size_t max_visitors = 256;       ///< other connections at a time
    std::size_t max_visitors_at = 64;     ///< of those, from one address
    std::size_t max_unsent = 256 << 20;   ///< bytes that may wait for a client
    std::size_t max_unsent_count = 4096;  ///< messages that may wait for a client
    /// What a visitor has for one request, or for reading its answer.
    std::chrono::milliseconds visit = std::chrono::seconds(10);
    /// After half of it a silent client is pinged, after all of it closed.
    std::chrono::milliseconds idle = std::chrono::seconds(60);
    /// What a client has for reading one message, besides a second for every `slowest` bytes.
    std::chrono::milliseconds stall = std::chrono::seconds(60);
    std::size_t slowest = 64 << 10;  ///< bytes per second of the slowest line that is served
    /// What a client that is closed has for saying goodbye.
    std::chrono::milliseconds farewell = std::chrono::seconds(5);
};

/// What one client is behind by.
struct Backlog {
    std::size_t bytes = 0;    ///< that wait to be sent
    std::size_t dropped = 0;  ///< messages that were replaced before they were sent
};

/// What the server tells the program; called on the thread of run().
class Handler {
  public:
    virtual ~Handler() = default;
    /// A browser fetches the page; its WebSocket follows.
    virtual void visited() {}
    virtual void opened(ClientId client) = 0;
    /// False closes the connection: the client does not speak the protocol.
    virtual bool received(ClientId client, std::string_view text) = 0;
    virtual void closed(ClientId client) = 0;
    /// Something was sent: backlog() is smaller.
    virtual void drained(ClientId client) = 0;
};

class Server {
  public:
    /// Opens the port.
    static Result<Server> listen(Options options);
    Server(Server&&) noexcept;
    Server& operator=(Server&&) noexcept;
    ~Server();

    /// "http://127.0.0.1:8800/?token=..."
    std::string url() const;
    std::uint16_t port() const;

    /// Serves until stop(), or until `interrupted` (asked ten times a second) is true.
    void run(Handler& handler, std::function<bool()> const& interrupted);
    /// From any thread.
    void stop();
    /// Sends to a client, or to all (0), from any thread; a message that still waits in the same
    /// slot is replaced. Messages for all reach a client only after something was sent to
    /// it alone, so that it gets that first.
    void send(ClientId client, std::string slot, SharedMessage message);
    /// From any thread.
    Backlog backlog(ClientId client) const;

  private:
    struct State;
    explicit Server(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace sluice::server
