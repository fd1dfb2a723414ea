// Engine: takes requests of all clients and answers the newest of each, on two threads.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <thread>

#include "app/view/answer.h"
#include "app/view/latest_queue.h"
#include "app/view/loader.h"

namespace sluice::app {

struct EngineOptions {
    Device device = Device::cpu();
    /// Sends a message; one that waits in the same slot is replaced.
    std::function<void(ClientId, std::string const& slot, server::SharedMessage)> send;
    /// Whether a client has room for more.
    std::function<server::Backlog(ClientId)> backlog;
};

class Engine {
  public:
    Engine(Catalog& catalog, Loader& loader, EngineOptions options);
    ~Engine();
    Engine(Engine const&) = delete;
    Engine& operator=(Engine const&) = delete;

    /// Takes a request; why it does not.
    Status ask(ClientId client, Request request);
    void forget(ClientId client);
    /// What the client asked in a slot is not wanted any more.
    void forget(ClientId client, std::string const& slot);
    /// A client has room again.
    void wake();
    /// A dataset changed: who waited for it is served.
    void changed(std::string const& dataset);

  private:
    struct Job {
        ClientId client = 0;
        Request request;
        std::uint64_t number = 0;  ///< of all requests; the newest of a slot is the largest
        /// Which reading of the dataset it was answered from, of a subset only; 0: none.
        std::uint64_t coarse = 0;
    };
    void answer_quickly();
    void answer_from_files();
    template <class F>
    void guarded(Job const& job, F&& work);
    void run(Job const& job);
    void stream(Job const& job);
    void park(Job const& job);
    /// Answers again from the start, unless something newer came.
    void again(Job const& job);
    /// `last`: nothing follows, and the slot is free again.
    void answer(Job const& job, Item const& item, Source const& source, bool last);
    Json header_of(Job const& job, index step) const;
    void refuse(Job const& job, Error const& error);
    /// `only_newest`: not when something newer came.
    void send(Job const& job, server::SharedMessage message, bool last, bool only_newest = false);
    void done(Job const& job);
    bool newest(Job const& job) const;
    bool is_newest(Job const& job) const;  // under mutex_

    Catalog& catalog_;
    Loader& loader_;
    EngineOptions options_;
    MomentCache moments_;
    LatestQueue<Job> quick_, slow_;
    mutable std::mutex mutex_;
    std::map<std::pair<ClientId, std::string>, std::uint64_t> newest_;
    std::map<ClientId, std::uint64_t> replaced_;
    std::vector<Job> parked_;  // for a dataset of which nothing is there yet
    std::uint64_t number_ = 0;
    std::atomic<bool> stop_ = false;
    std::thread quick_thread_, slow_thread_;
};

}  // namespace sluice::app
