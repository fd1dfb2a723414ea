// LatestQueue: work of several clients in turn; within a client's slot only the newest waits.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "server/server.h"

namespace sluice::app {

using server::ClientId;
using Clock = std::chrono::steady_clock;

template <class Job>
class LatestQueue {
  public:
    /// Whether a client can take an answer now; asked before its work is begun.
    std::function<bool(ClientId)> ready = [](ClientId) { return true; };

    /// Queues a job that begins at `when` at the earliest. False: it replaced one that waited.
    bool put(ClientId client, std::string const& slot, Job job, Clock::time_point when = {}) {
        std::lock_guard lock(mutex_);
        changed_.notify_all();
        std::deque<Entry>& waiting = clients_[client];
        for (Entry& e : waiting)
            if (e.slot == slot) {
                e = {slot, std::move(job), when};
                return false;
            }
        waiting.push_back({slot, std::move(job), when});
        return true;
    }

    /// Jobs of a client that wait.
    std::size_t size(ClientId client) const {
        std::lock_guard lock(mutex_);
        auto const it = clients_.find(client);
        return it == clients_.end() ? 0 : it->second.size();
    }

    void forget(ClientId client) {
        std::lock_guard lock(mutex_);
        clients_.erase(client);
    }
    void forget(ClientId client, std::string const& slot) {
        std::lock_guard lock(mutex_);
        auto const it = clients_.find(client);
        if (it == clients_.end()) return;
        std::erase_if(it->second, [&](Entry const& e) { return e.slot == slot; });
    }

    /// Looks again at who is ready.
    void wake() {
        std::lock_guard lock(mutex_);
        changed_.notify_all();
    }
    void stop() {
        std::lock_guard lock(mutex_);
        stopped_ = true;
        changed_.notify_all();
    }

    /// Waits for work: the oldest job of the next client in turn. Nothing once stopped.
    std::optional<Job> take() {
        std::unique_lock lock(mutex_);
        while (!stopped_) {
            Clock::time_point const now = Clock::now();
            auto soonest = now + std::chrono::hours(1);
            if (auto job = next(now, soonest)) return job;
            changed_.wait_until(lock, soonest);
        }
        return {};
    }

  private:
    struct Entry {
        std::string slot;
        Job job;
        Clock::time_point when;
    };

    std::optional<Job> next(Clock::time_point now, Clock::time_point& soonest) {
        auto it = clients_.upper_bound(last_);
        for (std::size_t i = 0; i < clients_.size(); ++i, ++it) {
            if (it == clients_.end()) it = clients_.begin();
            auto const& [client, waiting] = *it;
            if (waiting.empty() || !ready(client)) continue;
            for (auto entry = it->second.begin(); entry != it->second.end(); ++entry) {
                if (entry->when > now) {
                    soonest = std::min(soonest, entry->when);
                    continue;
                }
                Job job = std::move(entry->job);
                it->second.erase(entry);
                last_ = client;
                return job;
            }
        }
        return {};
    }

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::map<ClientId, std::deque<Entry>> clients_;
    ClientId last_ = 0;
    bool stopped_ = false;
};

}  // namespace sluice::app
