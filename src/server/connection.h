// Connections: one HTTP connection, and the WebSocket that it may become.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <map>
#include <mutex>

#include "server/server.h"

namespace sluice::server {

namespace asio = boost::asio;
using Address = asio::ip::address;

/// A WebSocket that is open; lives on the thread of run().
class Live {
  public:
    virtual ~Live() = default;
    virtual void send(std::string slot, SharedMessage message) = 0;
    bool greeted = false;  ///< something was sent to it alone
};

/// What all connections of a server share.
struct Shared {
    explicit Shared(Options o) : options(std::move(o)) {}

    Options options;
    Allowed allowed;
    Handler* handler = nullptr;
    std::size_t requests = 0, sockets = 0;  ///< open connections of either kind
    ClientId next = 1;
    std::map<ClientId, std::weak_ptr<Live>> live;

    template <class F>
    void for_each(ClientId client, F&& f) {
        // A copy: what f does may end a connection.
        auto const now = live;
        for (auto const& [id, weak] : now)
            if (auto const open = weak.lock();
                open && (client == 0 ? open->greeted : client == id)) {
                open->greeted = true;
                f(*open);
            }
    }

    /// Read by other threads, so behind a lock of its own.
    void note(ClientId client, Backlog backlog) {
        std::lock_guard lock(mutex_);
        backlog_[client] = backlog;
    }
    void forget(ClientId client) {
        std::lock_guard lock(mutex_);
        backlog_.erase(client);
    }
    Backlog backlog_of(ClientId client) const {
        std::lock_guard lock(mutex_);
        auto const it = backlog_.find(client);
        return it == backlog_.end() ? Backlog{} : it->second;
    }

  private:
    mutable std::mutex mutex_;
    std::map<ClientId, Backlog> backlog_;
};

/// Serves one accepted socket until it ends.
void start_connection(asio::ip::tcp::socket socket, Shared& shared);

}  // namespace sluice::server
