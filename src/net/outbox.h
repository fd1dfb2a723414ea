// Outbox: the bounded buffer of a simulated detector that sends over a connection of bytes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "net/tcp.h"
#include "net/wire.h"

namespace sluice::net {

/// A thread sends what waits to the receiver that called last. A connection that breaks loses the
/// message that was on its way; the others go to who calls next.
class Outbox {
  public:
    Outbox(TcpPort port, index most);
    ~Outbox();
    Outbox(Outbox const&) = delete;
    Outbox& operator=(Outbox const&) = delete;

    std::string const& address() const { return port_.address(); }
    /// False: nobody listens, or there is no room so long.
    bool put(Packet const& message, std::chrono::milliseconds wait);
    /// Waits so long until all is sent: messages that were not, those of broken connections among
    /// them.
    index finish(std::chrono::milliseconds wait);

  private:
    void run(std::stop_token const& stop);
    bool send(Packet const& message, TcpStream& to, std::stop_token const& stop);

    TcpPort port_;
    std::size_t const most_;
    std::mutex mutex_;  // of all that follows
    std::condition_variable_any changed_;
    std::deque<Packet> waiting_;
    bool connected_ = false, sending_ = false;
    index lost_ = 0;
    std::jthread thread_;  // ends first
};

}  // namespace sluice::net
