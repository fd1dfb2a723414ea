// Ranks as threads: they show each other where their arrays are, and wait for each other.
// SPDX-License-Identifier: Apache-2.0
#include "ranks/threads.h"

#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

#include "ranks/slices.h"

namespace sluice {

namespace {

struct Meeting {
    explicit Meeting(int count) : ranks(count), shown(static_cast<std::size_t>(count)) {}

    void wait() {
        std::unique_lock lock(mutex);
        long const now = round;
        if (++waiting == ranks) {
            waiting = 0;
            ++round;
            changed.notify_all();
            return;
        }
        changed.wait(lock, [&] { return round != now || left; });
        expects(round != now);
    }

    void leave() {
        std::lock_guard const lock(mutex);
        left = true;
        changed.notify_all();
        expects(waiting == 0);
    }

    int ranks;
    std::vector<std::byte*> shown;  // by each rank
    std::mutex mutex = {};
    std::condition_variable changed = {};
    int waiting = 0;
    long round = 0;
    bool left = false;
};

class Threads final : public Communicator {
  public:
    Threads(Meeting& meeting, int rank) : meeting_(meeting), rank_(rank) {}

    int rank() const override { return rank_; }
    int ranks() const override { return meeting_.ranks; }
    void all_reduce_sum(std::span<float> values) override { sum(values); }
    void all_reduce_sum(std::span<double> values) override { sum(values); }

    void broadcast(std::span<std::byte> bytes, int from) override {
        show(bytes.data());
        if (rank_ != from && !bytes.empty()) std::memcpy(bytes.data(), seen(from), bytes.size());
        meeting_.wait();
    }

    void all_gather(std::span<std::byte const> mine, std::span<std::byte> all) override {
        std::vector<std::byte> copy(mine.begin(), mine.end());
        show(copy.data());
        for (int r = 0; r < ranks() && !mine.empty(); ++r)
            std::memcpy(all.data() + static_cast<std::size_t>(r) * mine.size(), seen(r),
                        mine.size());
        meeting_.wait();
    }

    void barrier() override { meeting_.wait(); }
    void abort(int) override { std::abort(); }

  private:
    void show(std::byte* data) {
        meeting_.shown[static_cast<std::size_t>(rank_)] = data;
        meeting_.wait();
    }
    std::byte const* seen(int rank) const { return meeting_.shown[static_cast<std::size_t>(rank)]; }

    // Each rank adds up its slice of the values, then takes the others' slices.
    template <class T>
    void sum(std::span<T> values) {
        index const n = std::ssize(values);
        index const begin = slice_begin(n, rank_, ranks());
        std::vector<T> slice(static_cast<std::size_t>(slice_begin(n, rank_ + 1, ranks()) - begin));
        show(reinterpret_cast<std::byte*>(values.data()));
        for (int r = 0; r < ranks(); ++r) {
            T const* const from = reinterpret_cast<T const*>(seen(r)) + begin;
            for (std::size_t i = 0; i < slice.size(); ++i)
                slice[i] = r == 0 ? from[i] : slice[i] + from[i];
        }
        meeting_.wait();
        show(reinterpret_cast<std::byte*>(slice.data()));
        for (int r = 0; r < ranks(); ++r) {
            index const first = slice_begin(n, r, ranks()), end = slice_begin(n, r + 1, ranks());
            if (end > first)
                std::memcpy(values.data() + first, seen(r),
                            static_cast<std::size_t>(end - first) * sizeof(T));
        }
        meeting_.wait();
    }

    Meeting& meeting_;
    int rank_;
};

}  // namespace

void run_ranks(int ranks, std::function<void(Communicator&)> const& work) {
    Meeting meeting(ranks);
    std::vector<std::jthread> threads;
    for (int r = 0; r < ranks; ++r)
        threads.emplace_back([&meeting, &work, r] {
            Threads communicator(meeting, r);
            work(communicator);
            meeting.leave();
        });
}

}  // namespace sluice
