// Connections: one HTTP connection, and the WebSocket that it may become.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <list>
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

/// A connection that is not a WebSocket (yet); lives on the thread of run().
class Visitor {
  public:
    virtual ~Visitor() = default;
    virtual void drop() = 0;
    std::string from;    ///< its address, or its network
    bool known = false;  ///< it has shown the token
};

/// What all connections of a server share.
struct Shared {
    explicit Shared(Options o) : options(std::move(o)) {}

    Options options;
    Allowed allowed;
    Handler* handler = nullptr;
    std::list<Visitor*> visitors;  ///< the oldest first
    std::size_t sockets = 0;       ///< WebSockets that are open
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

    /// Makes room for a visitor from there: the oldest goes that has not shown the token, of its
    /// own network where that has many. Otherwise a machine that opens connections and says nothing
    /// would shut all others out.
    void make_room(std::string const& from) {
        std::size_t here = 0;
        for (Visitor const* v : visitors) here += v->from == from;
        if (here >= options.max_visitors_at)
            drop_oldest([&](Visitor const& v) { return v.from == from; });
        else if (visitors.size() >= options.max_visitors)
            drop_oldest([](Visitor const&) { return true; });
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
    template <class F>
    void drop_oldest(F&& may_go) {
        for (bool const also_known : {false, true})
            for (Visitor* v : visitors)
                if (may_go(*v) && (also_known || !v->known)) {
                    // It ends later, and counts no more from now on.
                    visitors.remove(v);
                    return v->drop();
                }
    }

    mutable std::mutex mutex_;
    std::map<ClientId, Backlog> backlog_;
};

/// Serves one accepted socket until it ends.
void start_connection(asio::ip::tcp::socket socket, Shared& shared);

}  // namespace sluice::server
