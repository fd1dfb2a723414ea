// Session: a domain and its engine for clients in the same process, as a notebook's kernel.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/view/desk.h"

namespace sluice::app {

class Session {
  public:
    /// Takes a message to a client; called on one thread of the session's own, never twice at once.
    /// It throws nothing.
    using Deliver = std::function<void(ClientId, server::SharedMessage const&)>;

    Session(std::unique_ptr<Domain> domain, Deliver deliver);
    /// Ends all work and waits for it, but not on the thread that delivers.
    ~Session();
    Session(Session const&) = delete;
    Session& operator=(Session const&) = delete;

    // From any thread but the delivering one:

    /// A client, who is greeted. `page`: it is a page that opens, which loads give way to.
    ClientId open(bool page);
    /// Takes a request (docs/protocol.md). False: there is no such client, or its sixth mistake in
    /// a row closed it.
    bool submit(ClientId client, std::string_view text);
    void close(ClientId client);

    /// Lines for people: paths that could not be opened.
    std::vector<std::string> const& notes() const { return desk_->domain().notes(); }
    bool delivers_here() const { return std::this_thread::get_id() == thread_.get_id(); }

  private:
    struct Client {
        server::Outbox outbox;
        bool greeted = false;
    };
    Post post();
    void put(ClientId client, std::string const& slot, server::SharedMessage message);
    server::Backlog backlog(ClientId client) const;
    void live();

    Deliver deliver_;
    std::mutex entry_;  // one client is heard at a time
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::map<ClientId, Client> clients_;
    ClientId last_ = 0, served_ = 0;
    bool stopped_ = false;
    std::unique_ptr<Desk> desk_;
    std::thread thread_;
};

}  // namespace sluice::app
