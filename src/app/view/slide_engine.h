// SlideEngine: takes requests of all clients and answers them on several threads.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <thread>

#include "app/view/latest_queue.h"
#include "app/view/slide_tiles.h"

namespace sluice::app {

struct SlideEngineOptions {
    int threads = 0;                      ///< 0: one per processor
    std::size_t cache_bytes = 256 << 20;  ///< of decoded tiles, for all clients together
    /// Sends a message; one that waits in the same slot is replaced.
    std::function<void(ClientId, std::string const& slot, server::SharedMessage)> send;
    std::function<server::Backlog(ClientId)> backlog;
};

class SlideEngine {
  public:
    SlideEngine(std::vector<ShownSlide> const& slides, SlideEngineOptions options);
    ~SlideEngine();
    SlideEngine(SlideEngine const&) = delete;
    SlideEngine& operator=(SlideEngine const&) = delete;

    /// Takes a request; why it does not.
    Status ask(ClientId client, SlideRequest request);
    void forget(ClientId client);
    /// What the client asked in a slot is not wanted any more; a read of it stops.
    void forget(ClientId client, std::string const& slot);
    /// A client has room again.
    void wake();

  private:
    struct Job {
        ClientId client = 0;
        SlideRequest request;
        std::uint64_t number = 0;  ///< of all requests; the newest of a slot is the largest
    };
    void work();
    void run(Job const& job);
    Result<server::SharedMessage> answer(Job const& job);
    bool report(Job const& job, Clock::time_point& last, std::uint64_t done, std::uint64_t total);
    void send(Job const& job, server::SharedMessage message);
    bool newest(Job const& job) const;
    bool is_newest(Job const& job) const;  // under mutex_

    std::vector<ShownSlide> const& slides_;
    SlideEngineOptions options_;
    slide::TileCache cache_;
    LatestQueue<Job> queue_;
    mutable std::mutex mutex_;
    std::map<std::pair<ClientId, std::string>, std::uint64_t> newest_;
    std::uint64_t number_ = 0;
    std::atomic<bool> stop_ = false;
    std::vector<std::thread> threads_;
};

}  // namespace sluice::app
