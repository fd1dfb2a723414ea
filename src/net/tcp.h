// Streams of bytes over TCP, or over a file of this machine: the one who calls, and who is called.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <string>

#include "sluice/result.h"
#include "sluice/view.h"

namespace sluice::net {

/// A connection; it ends with this.
class TcpStream {
  public:
    /// Calls "tcp://127.0.0.1:6342" or "ipc://file". Empty: nobody answered so long, or refuses.
    static Result<std::optional<TcpStream>> call(std::string const& address,
                                                 std::chrono::milliseconds wait);
    TcpStream(TcpStream&& other) noexcept;
    TcpStream& operator=(TcpStream&& other) noexcept;
    ~TcpStream();

    struct Came {
        std::size_t bytes = 0;
        std::string ended = {};  ///< why no more come; empty: the connection lasts
    };
    /// Waits so long for bytes, and takes as many as there are and find room.
    Came receive(std::span<std::byte> room, std::chrono::milliseconds wait);
    /// Bytes that went on their way so long; nothing: the other side is gone.
    std::optional<std::size_t> send(Bytes bytes, std::chrono::milliseconds wait);

  private:
    friend class TcpPort;
    explicit TcpStream(int file) : file_(file) {}
    int file_ = -1;
};

/// Where others call.
class TcpPort {
  public:
    /// A port * is any that is free.
    static Result<TcpPort> open(std::string const& address);
    TcpPort(TcpPort&& other) noexcept;
    TcpPort& operator=(TcpPort&& other) noexcept;
    ~TcpPort();

    /// With the port that was chosen.
    std::string const& address() const { return address_; }
    /// Who calls within that time.
    std::optional<TcpStream> accept(std::chrono::milliseconds wait);

  private:
    TcpPort(int file, std::string address) : file_(file), address_(std::move(address)) {}
    int file_ = -1;
    std::string address_;
};

}  // namespace sluice::net
