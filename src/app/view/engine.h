// Engine: takes requests of all clients and answers the newest of each slot, on its threads.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <thread>

#include "app/view/domain.h"
#include "app/view/latest_queue.h"
#include "app/view/slots.h"

namespace sluice::app {

/// The way to the pages.
struct Post {
    /// Sends a message; one that waits in the same slot is replaced.
    std::function<void(ClientId, std::string const& slot, server::SharedMessage)> send;
    /// Whether a client has room for more.
    std::function<server::Backlog(ClientId)> backlog;
};

/// What every answer begins with: `op`, `id`, `slot`, `request`.
Json header_of(Job const& job);

class Engine {
  public:
    Engine(Domain const& domain, Post post);
    ~Engine();
    Engine(Engine const&) = delete;
    Engine& operator=(Engine const&) = delete;

    /// Takes a request, or tells the client why not.
    void ask(ClientId client, Envelope envelope, Work work);
    /// Says what is wrong with a request; what waits in its slot is not wanted any more.
    void reject(ClientId client, BadRequest const& bad);
    void forget(ClientId client);
    /// What the client asked in a slot is not wanted any more; work on it may stop.
    void forget(ClientId client, std::string const& slot);
    /// A client has room again.
    void wake();

    // For the domain, on any thread:

    /// Whether the answer is still wanted.
    bool newest(Job const& job) const;
    /// Sends the answer, which nothing follows; none when something newer came.
    void finish(Job const& job, server::SharedMessage message);
    /// Sends an answer also when something newer waits: a drag shows what it passes. `last`:
    /// nothing follows it. For domains with one quick thread; two might send answers in the wrong
    /// order.
    void show(Job const& job, server::SharedMessage message, bool last);
    /// Sends an error in place of the answer; none when something newer came.
    void refuse(Job const& job, Error const& error);
    /// Says that the queue is served.
    void pong(Job const& job);
    /// There is no more to say.
    void done(Job const& job);
    /// Tells how far the answer is; `progress` may replace an earlier one.
    void report(Job const& job, Json const& progress);
    /// Answers again from the start, when nothing newer came until then.
    void again(Job job, Clock::time_point when = {});
    /// Answers again on a slow thread, when nothing newer came until then.
    void later(Job job, Clock::time_point when);
    /// Answers again once its subject changed.
    void park(Job const& job);
    /// A subject changed: who waited for it is served.
    void changed(std::string const& subject);
    /// Requests of a client that newer ones replaced.
    std::size_t dropped(ClientId client) const;

  private:
    void end();
    void work(LatestQueue<Job>& queue);
    void run(Job const& job);
    bool is_newest(Job const& job) const;  // under mutex_
    void free(Job const& job);             // under mutex_
    void send(Job const& job, server::SharedMessage message);
    server::SharedMessage error_for(Job const& job, Error const& error) const;

    Domain const& domain_;
    Post post_;
    LatestQueue<Job> quick_, slow_;
    mutable std::mutex mutex_;
    Slots slots_;
    std::map<ClientId, std::uint64_t> replaced_;
    std::vector<Job> parked_;
    std::atomic<bool> stop_ = false;
    std::vector<std::thread> threads_;
};

}  // namespace sluice::app
