// Domain: a kind of data that the viewer shows. The shell knows no more of it than this.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "app/view/envelope.h"
#include "app/view/wire.h"
#include "server/server.h"

namespace sluice::app {

using server::ClientId;

class Engine;
struct Job;

/// What a domain makes of a request that it understood.
struct Work {
    /// The request as it was understood: everything that its answer depends on.
    Json echo = Json::object();
    /// What it is about, as a dataset: Engine::changed tells who waits for it.
    std::string subject = {};
    /// Answers it, with the engine's functions. May be called again when it asked the engine to.
    std::function<void(Engine&, Job const&)> answer = {};
    /// Answered when it comes, on the server's thread; it neither waits nor replaces another one.
    bool at_once = false;
};

/// A request on its way to its answer.
struct Job {
    ClientId client = 0;
    Envelope envelope;
    std::shared_ptr<Work const> work;
    std::uint64_t number = 0;  ///< of all requests; the newest of a slot is the largest
    /// Which state of its subject a first answer was made from; 0: none.
    std::uint64_t seen = 0;
    bool slow = false;  ///< it is on a slow thread
};

/// Threads that answer: from what is at hand, and from what takes long.
struct Threads {
    int quick = 1, slow = 0;
};

/// What the viewer offers to a domain.
struct Shell {
    Engine& engine;
    /// Sends to all pages; a message that waits in the same slot is replaced. `describe` is called
    /// in between, so that what is told last is the latest.
    std::function<void(std::string const& slot, std::function<Json()> const& describe)> tell;
};

class Domain {
  public:
    Domain() = default;
    Domain(Domain const&) = delete;
    Domain& operator=(Domain const&) = delete;
    virtual ~Domain() = default;

    /// The file that a browser gets for "/".
    virtual std::string_view page() const = 0;
    /// What `hello` says, besides the protocol, the version and the notes.
    virtual Json hello() const = 0;
    /// Lines for the terminal: paths that could not be opened.
    virtual std::vector<std::string> const& notes() const = 0;
    virtual Threads threads() const = 0;
    /// Checks the fields of a request. `ping` never comes here.
    virtual Result<Work> understand(std::string const& op, Fields const& fields) = 0;
    /// What a pong or an error says of its subject.
    virtual Json about(Engine const&, Job const&) const { return Json::object(); }
    /// A client came, before it is greeted; or it went. On the clients' thread.
    virtual void opened(ClientId) {}
    virtual void closed(ClientId) {}
    /// A browser fetches the page: what takes all processors can wait for a moment.
    virtual void page_opens() {}
    /// Begins what goes on without being asked.
    virtual void begin(Shell const&) {}
    /// Ends that: nothing is told to the shell after it.
    virtual void end() {}
};

}  // namespace sluice::app
