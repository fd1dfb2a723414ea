// Server: answers plain HTTP for a simulated detector. What the page is served by is src/server.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <list>
#include <thread>

#include "net/http/message.h"
#include "net/tcp.h"
#include "sluice/stream.h"

namespace sluice::net::http {

/// By several threads, one for each request. Whoever waits in it asks whether to go on.
using Answer = std::function<Reply(Request const&, GoOn const&)>;

class Server {
  public:
    /// "http://127.0.0.1:8080", "tcp://..." or "ipc://file"; a port * is any that is free.
    static Result<std::unique_ptr<Server>> open(std::string const& address, Answer answer);
    Server(Server const&) = delete;
    Server& operator=(Server const&) = delete;
    ~Server();

    /// That clients ask, with the port that was chosen.
    std::string const& address() const { return address_; }

  private:
    Server(TcpPort port, std::string address, Answer answer);
    void run(std::stop_token const& stop);
    void serve(TcpStream stream, std::stop_token const& stop) const;

    TcpPort port_;
    std::string address_;
    Answer answer_;
    std::jthread thread_;  // ends first
};

}  // namespace sluice::net::http
