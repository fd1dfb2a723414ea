// What the job tells, as its pages are told it.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/ptychography/monitor.h"

#include <algorithm>

#include "app/view/engine.h"

namespace sluice::app {

void Monitor::start(MonitoredJob job) {
    {
        std::lock_guard lock(mutex_);
        job_ = std::move(job);
        ++number_;
        state_ = State::running;
        why_.clear();
        rounds_.clear();
        curves_ = 0;
        job_notes_.clear();
        iterations_ = 0;
        for (auto const& stage : job_.stages) iterations_ += stage.iterations;
        done_ = 0;
        all_ = static_cast<std::uint64_t>(job_.patterns * iterations_);
        floor_ = 0;
        began_ = now_();
        speed_.clear();
        snapshot_.reset();
        informed_.clear();
        for (auto& [client, slice] : clients_) {
            if (!job_.follows) slice = 0;
            asking_.insert(client);
        }
    }
    snapshots_ = 0;
    copying_pace_.reset();
    floor_pace_.reset();
    tell("job");
    tell("state");
}

void Monitor::look(stem4d::PtychographyView const& view) {
    count(view);
    auto const now = now_();
    bool watched = false;
    {
        std::lock_guard lock(mutex_);
        watched = !asking_.empty();
    }
    bool const copied = watched && copying_pace_.due(now);
    if (copied) {
        if (!view.rounds.empty() && floor_pace_.due(now)) measure_floor(view);
        copy(view);
    }
    if (!copied && !telling_pace_.due(now)) return;
    tell("state");
    telling_pace_.done(now, now);
}

void Monitor::count(stem4d::PtychographyView const& view) {
    auto const now = now_();
    std::lock_guard lock(mutex_);
    iterations_ = view.iterations;
    done_ = std::min(view.done, view.all);
    all_ = view.all;
    // It went back to an earlier state.
    if (view.rounds.size() < rounds_.size()) {
        rounds_.clear();
        ++curves_;
    }
    rounds_.insert(rounds_.end(), view.rounds.begin() + std::ssize(rounds_), view.rounds.end());
    job_notes_.assign(view.notes.begin(), view.notes.end());
    speed_.add(now, done_);
}

std::set<index> Monitor::wanted_slices() const {
    std::set<index> slices;
    for (auto const& [client, slice] : clients_) slices.insert(slice);
    return slices;
}

void Monitor::copy(stem4d::PtychographyView const& view) {
    auto const began = now_();
    std::set<index> slices;
    {
        std::lock_guard lock(mutex_);
        slices = wanted_slices();
        asking_.clear();
    }
    take(snapshot_of(view, slices));
    copying_pace_.done(began, now_());
}

void Monitor::measure_floor(stem4d::PtychographyView const& view) {
    auto const began = now_();
    double const floor = view.floor();
    floor_pace_.done(began, now_());
    std::lock_guard lock(mutex_);
    floor_ = floor;
}

void Monitor::take(Snapshot snapshot) {
    snapshot.number = ++snapshots_;
    auto shared = std::make_shared<Snapshot const>(std::move(snapshot));
    {
        std::lock_guard lock(mutex_);
        snapshot_.swap(shared);
    }
    // Who asked for a slice that was not there.
    std::lock_guard lock(telling_);
    if (shell_) shell_->engine.changed("job");
}

void Monitor::conclude(State state, stem4d::PtychographyResult const& result) {
    std::set<index> slices;
    bool watched = false;
    {
        std::lock_guard lock(mutex_);
        if (result.rounds.size() < rounds_.size()) ++curves_;
        rounds_ = result.rounds;
        job_notes_ = result.notes;
        floor_ = result.floor;
        // Fewer iterations than planned are all there were.
        done_ = all_;
        watched = !clients_.empty();
        if (!keep_all_) slices = wanted_slices();
    }
    if (watched || keep_all_) take(snapshot_of(result, slices));
    conclude(state, "");
}

void Monitor::fail(std::string const& why, bool stopped) {
    conclude(stopped ? State::stopped : State::failed, why);
}

void Monitor::conclude(State state, std::string const& why) {
    {
        std::lock_guard lock(mutex_);
        state_ = state;
        why_ = why;
        ended_ = now_();
        informed_.clear();
    }
    {
        // What waits for a slice is refused now.
        std::lock_guard lock(telling_);
        if (shell_) shell_->engine.changed("job");
    }
    tell("state");
}

bool Monitor::wait_for_pages(std::chrono::milliseconds longest) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, longest, [this] {
        return std::ranges::all_of(clients_,
                                   [&](auto const& c) { return informed_.contains(c.first); });
    });
}

void Monitor::tell(std::string const& op) {
    std::lock_guard lock(telling_);
    if (!shell_) return;
    shell_->tell(op, [&] {
        std::lock_guard inner(mutex_);
        if (op == "job") return Json{{"op", "job"}, {"job", job_json()}};
        Json state{{"op", "state"}};
        state.update(state_json());
        return state;
    });
}

}  // namespace sluice::app
