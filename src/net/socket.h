// Sockets of ZeroMQ: one that pulls messages, one that pushes them. Nothing else here knows ZeroMQ.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sluice/result.h"
#include "sluice/view.h"

namespace sluice::net {

/// A message that came. It is kept as long as somebody holds what share() gives.
class Message {
  public:
    Bytes bytes() const { return bytes_; }
    /// It is one of several parts, and not the last.
    bool more() const { return more_; }
    std::shared_ptr<void const> share() const { return held_; }

  private:
    friend class Socket;
    std::shared_ptr<void const> held_ = {};
    Bytes bytes_ = {};
    bool more_ = false;
};

/// Messages that wait inside of a socket in any case, and those that do at most.
constexpr int least_queue = 64, most_queue = 1 << 16;

struct SocketOptions {
    /// Messages that wait inside of the socket, at most, for each peer.
    int queue = 1000;
    /// Larger messages end the connection before any memory is taken for them.
    std::int64_t most_bytes = std::int64_t{512} << 20;
    /// What a socket that ends waits for messages to be sent.
    std::chrono::milliseconds linger{2000};
};

/// Of one thread at a time. A connection that breaks is made again, and what was lost is lost.
class Socket {
  public:
    /// Takes messages from who is bound to the address, now or later: "tcp://127.0.0.1:31001".
    static Result<Socket> pull(std::string const& address, SocketOptions const& options = {});
    /// Is bound to the address; a port * is any that is free.
    static Result<Socket> push(std::string const& address, SocketOptions const& options = {});
    Socket(Socket&&) noexcept;
    Socket& operator=(Socket&&) noexcept;
    ~Socket();

    /// From now on no more messages wait inside than take so many bytes, when each has `each`.
    void hold(std::uint64_t bytes, std::uint64_t each);
    /// With the port that was chosen.
    std::string const& address() const { return address_; }
    /// Waits so long for a message; false: none came. Signals end the waiting. What comes within a
    /// millisecond after the last message may be handed out that much later.
    Result<bool> receive(Message& message, std::chrono::milliseconds wait);
    /// The same for all parts of a message. Parts after the first `most` are passed over.
    Result<bool> receive(std::vector<Message>& parts, std::size_t most,
                         std::chrono::milliseconds wait);
    /// Hands over bytes that stay as they are while `owner` lives; false: nobody takes them, for
    /// the queues of all peers are full so long, or there is no peer.
    Result<bool> send(Bytes bytes, std::shared_ptr<void const> owner,
                      std::chrono::milliseconds wait);
    Result<bool> send(std::vector<std::byte> bytes, std::chrono::milliseconds wait);
    /// The same for a message of several parts: all of them go, or none.
    using Part = std::shared_ptr<std::vector<std::byte> const>;
    Result<bool> send(std::span<Part const> parts, std::chrono::milliseconds wait);

  private:
    struct State;
    Socket(std::unique_ptr<State> state, std::string address);
    static Result<Socket> open(int type, std::string const& address, SocketOptions const& options);
    Result<bool> ready(short event, std::chrono::milliseconds wait);
    Result<bool> send(Bytes bytes, std::shared_ptr<void const> owner, bool more,
                      std::chrono::milliseconds wait);
    std::unique_ptr<State> state_;
    std::string address_;
};

}  // namespace sluice::net
