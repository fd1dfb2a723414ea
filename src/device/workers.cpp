// A pool that grows to the largest number of threads ever asked for.
// SPDX-License-Identifier: Apache-2.0
#include "device/workers.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace sluice {
namespace {

struct Job {
    std::function<void(index, int)> const* work = nullptr;
    index n = 0, grain = 1;
    std::atomic<index> next = 0;

    std::mutex mutex = {};
    std::exception_ptr thrown = {};  // the first one; memory can run out in a worker as well

    void run(int worker) {
        try {
            for (index first; (first = next.fetch_add(grain)) < n;)
                for (index i = first; i < std::min(first + grain, n); ++i) (*work)(i, worker);
        } catch (...) {
            std::lock_guard lock(mutex);
            if (!thrown) thrown = std::current_exception();
            next = n;
        }
    }
};

thread_local bool inside = false;

class Pool {
  public:
    ~Pool() {
        {
            std::lock_guard lock(mutex_);
            ending_ = true;
        }
        wake_.notify_all();
    }

    void run(Job& job, int threads) {
        std::lock_guard turn(turn_);
        {
            std::lock_guard lock(mutex_);
            while (static_cast<int>(threads_.size()) < threads - 1) {
                int const worker = static_cast<int>(threads_.size()) + 1;
                threads_.emplace_back([this, worker] { live(worker); });
            }
            job_ = &job;
            wanted_ = threads - 1;
            busy_ = threads - 1;
            ++generation_;
        }
        wake_.notify_all();
        inside = true;
        job.run(0);
        inside = false;
        std::unique_lock lock(mutex_);
        done_.wait(lock, [this] { return busy_ == 0; });
        job_ = nullptr;
    }

  private:
    void live(int worker) {
        inside = true;
        std::uint64_t seen = 0;
        std::unique_lock lock(mutex_);
        while (true) {
            wake_.wait(lock, [&] { return ending_ || generation_ != seen; });
            if (ending_) return;
            seen = generation_;
            if (worker > wanted_ || !job_) continue;
            Job* const job = job_;
            lock.unlock();
            job->run(worker);
            lock.lock();
            if (--busy_ == 0) done_.notify_all();
        }
    }

    std::mutex turn_, mutex_;
    std::condition_variable wake_, done_;
    Job* job_ = nullptr;
    int wanted_ = 0, busy_ = 0;
    std::uint64_t generation_ = 0;
    bool ending_ = false;
    std::vector<std::jthread> threads_;  // last, so that the threads end before what they use
};

Pool& pool() {
    static Pool p;
    return p;
}

}  // namespace

void parallel_for(index n, int threads, index grain, std::function<void(index, int)> const& work) {
    Job job;
    job.work = &work;
    job.n = n;
    job.grain = std::max<index>(1, grain);
    index const pieces = (n + job.grain - 1) / job.grain;
    threads = static_cast<int>(std::min<index>(threads, pieces));
    if (threads <= 1 || inside)
        job.run(0);
    else
        pool().run(job, threads);
    if (job.thrown) std::rethrow_exception(job.thrown);
}

}  // namespace sluice
