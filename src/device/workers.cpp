// A pool that grows to the largest number of threads ever asked for.
// SPDX-License-Identifier: Apache-2.0
#include "device/workers.h"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace sluice {
namespace {

using Clock = std::chrono::steady_clock;

// A new call keeps the threads for a while before others may interrupt it. A person's request takes
// about 10 ms; cut into two turns, it would wait twice.
constexpr auto first_turn = std::chrono::milliseconds(20);
constexpr auto later_turn = std::chrono::milliseconds(8);

// Waking a sleeping thread takes about 50 us, often longer than the work of a call. Calls come in
// quick succession, so a thread polls for this long before it sleeps.
constexpr auto patience = std::chrono::microseconds(200);

// Polls until `is_so`, or for as long as patience lasts.
template <class Condition>
void look_for(Condition const& is_so) {
    auto const until = Clock::now() + patience;
    while (!is_so() && Clock::now() < until)
        for (int k = 0; k < 8; ++k) {
#ifdef __x86_64__
            __builtin_ia32_pause();
#endif
        }
}

// First come, first served.
class Queue {
  public:
    /// From its making to its end this thread alone has the pool.
    class Turn {
      public:
        explicit Turn(Queue& q) : queue_(q) {
            std::unique_lock lock(queue_.mutex_);
            std::uint64_t const ticket = queue_.last_++;
            if (ticket == queue_.serving_) return;
            ++queue_.waiting_;
            queue_.changed_.wait(lock, [&] { return ticket == queue_.serving_; });
            --queue_.waiting_;
        }
        ~Turn() {
            {
                std::lock_guard lock(queue_.mutex_);
                ++queue_.serving_;
            }
            queue_.changed_.notify_all();
        }
        Turn(Turn const&) = delete;
        Turn& operator=(Turn const&) = delete;

      private:
        Queue& queue_;
    };

    bool somebody_waits() const { return waiting_.load(std::memory_order_relaxed) > 0; }

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::uint64_t last_ = 0, serving_ = 0;
    std::atomic<int> waiting_ = 0;
};

struct Job {
    Job(std::function<void(index, int)> const& w, index count, index step, int threads)
        : work(w), n(count), grain(step), held(static_cast<std::size_t>(threads)) {}

    // Ends when there is nothing left, or after a number when turn_is_over() says so.
    template <class Over>
    void run(int worker, Over const& turn_is_over) {
        Piece piece = std::exchange(held[static_cast<std::size_t>(worker)], {});
        try {
            while (true) {
                if (piece.first == piece.last) {
                    piece.first = next.fetch_add(grain);
                    if (piece.first >= n) return;
                    piece.last = std::min(piece.first + grain, n);
                }
                while (piece.first < piece.last) {
                    work(piece.first++, worker);
                    if (!turn_is_over()) continue;
                    held[static_cast<std::size_t>(worker)] = piece;
                    return;
                }
            }
        } catch (...) {
            std::lock_guard lock(mutex);
            if (!thrown) thrown = std::current_exception();
            next = n;
        }
    }
    // Between turns only.
    bool done() const { return thrown || (next >= n && !holds_pieces()); }
    bool holds_pieces() const {
        return !std::ranges::all_of(held, [](Piece p) { return p.first == p.last; });
    }

    struct Piece {
        index first = 0, last = 0;
    };
    std::function<void(index, int)> const& work;
    index n, grain;
    std::atomic<index> next = 0;
    std::vector<Piece> held;  // [worker] of what it had taken when its turn ended

    std::mutex mutex = {};
    std::exception_ptr thrown = {};  // the first one; memory can run out in a worker as well
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
        auto length = Clock::duration(first_turn);
        do {
            Queue::Turn const turn(queue_);
            take(job, threads, length);
            length = later_turn;
        } while (!job.done());
    }

  private:
    // A caller does not wait for a thread that has not begun: it may wake when a short call is
    // over. After a turn that left pieces, each worker must come, since a piece is its worker's.
    void take(Job& job, int threads, Clock::duration length) {
        bool const all_come = job.holds_pieces();
        {
            std::lock_guard lock(mutex_);
            while (static_cast<int>(threads_.size()) < threads - 1) {
                int const worker = static_cast<int>(threads_.size()) + 1;
                threads_.emplace_back([this, worker] { live(worker); });
            }
            job_ = &job;
            // With more threads than processors, a polling thread keeps others from working.
            patient_ = threads_.size() < std::thread::hardware_concurrency();
            wanted_ = threads - 1;
            to_come_ = all_come ? threads - 1 : 0;
            until_ = Clock::now() + length;
            ++generation_;
        }
        wake_.notify_all();
        inside = true;
        work_on(job, 0);
        inside = false;
        std::unique_lock lock(mutex_);
        if (!all_come) job_ = nullptr;
        lock.unlock();
        auto const is_over = [this] { return to_come_ == 0 && busy_ == 0; };
        look_for([&] { return !patient_ || is_over(); });
        lock.lock();
        done_.wait(lock, is_over);
        job_ = nullptr;
    }

    void work_on(Job& job, int worker) {
        job.run(worker, [this] { return queue_.somebody_waits() && Clock::now() >= until_; });
    }

    void live(int worker) {
        inside = true;
        std::uint64_t seen = 0;
        while (true) {
            look_for([&] { return !patient_ || ending_ || generation_ != seen; });
            std::unique_lock lock(mutex_);
            wake_.wait(lock, [&] { return ending_ || generation_ != seen; });
            if (ending_) return;
            seen = generation_;
            if (worker > wanted_ || !job_) continue;
            Job* const job = job_;
            ++busy_;
            if (to_come_ > 0) --to_come_;
            lock.unlock();
            work_on(*job, worker);
            lock.lock();
            if (--busy_ == 0) done_.notify_all();
        }
    }

    Queue queue_;
    std::mutex mutex_;
    std::condition_variable wake_, done_;
    Job* job_ = nullptr;
    int wanted_ = 0;
    Clock::time_point until_ = {};
    // Written under the lock, and looked at without.
    std::atomic<int> busy_ = 0, to_come_ = 0;
    std::atomic<std::uint64_t> generation_ = 0;
    std::atomic<bool> ending_ = false, patient_ = true;
    std::vector<std::jthread> threads_;  // last, so that the threads end before what they use
};

// A forked process has none of the threads, and locks that somebody held stay so: it begins anew,
// and leaves what its parent had as it is.
class Pools {
  public:
    Pools() {
        pthread_atfork(nullptr, nullptr, [] { pools().begin_anew(); });
    }
    static Pools& pools() {
        static Pools p;
        return p;
    }
    Pool& pool() { return *pool_; }

  private:
    void begin_anew() {
        [[maybe_unused]] Pool* const left = pool_.release();
        pool_ = std::make_unique<Pool>();
        inside = false;
    }
    std::unique_ptr<Pool> pool_ = std::make_unique<Pool>();
};

}  // namespace

void parallel_for(index n, int threads, index grain, std::function<void(index, int)> const& work) {
    grain = std::max<index>(1, grain);
    index const pieces = (n + grain - 1) / grain;
    threads = static_cast<int>(std::clamp<index>(pieces, 1, std::max(1, threads)));
    if (inside) threads = 1;
    Job job(work, n, grain, threads);
    if (threads == 1)
        job.run(0, [] { return false; });
    else
        Pools::pools().pool().run(job, threads);
    if (job.thrown) std::rethrow_exception(job.thrown);
}

void parallel_from_ends(index n, int threads, std::function<void(index, int)> const& work) {
    // There are n calls, so that the two never meet.
    std::atomic<index> front = 0, back = n;
    parallel_for(n, threads, 1,
                 [&](index, int worker) { work(worker == 0 ? front++ : --back, worker); });
}

}  // namespace sluice
