// Monitor: pages that come and go, and what they ask.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/engine.h"
#include "app/view/ptychography/monitor.h"

namespace sluice::app {
namespace {

using What = MonitorRequest::What;

void add_wave(ArrayMessage& message, Snapshot::Wave const& wave) {
    sluice::app::add_wave(message, wave.shape[0], wave.shape[1], wave.values);
}

}  // namespace

Json Monitor::job_json() const {
    if (number_ == 0) return nullptr;
    return told_job(job_, number_);
}

Json Monitor::state_json() const {
    constexpr char const* names[] = {"waiting",  "running", "paused",
                                     "finished", "stopped", "failed"};
    double const rate = state_ == State::running ? speed_.rate() : 0;
    std::chrono::duration<double> const elapsed =
        number_ == 0 ? Clock::duration{} : (state_ > State::running ? ended_ : now_()) - began_;
    auto const number = [](double v) { return v > 0 ? Json(v) : Json(nullptr); };
    return {{"job", number_},
            {"state", names[static_cast<int>(state_)]},
            {"message", why_},
            {"iteration", rounds_.size()},
            {"iterations", iterations_},
            {"done", done_},
            {"total", all_},
            {"rate", number(rate)},
            {"left", rate > 0 ? Json(static_cast<double>(all_ - done_) / rate) : Json(nullptr)},
            {"elapsed", elapsed.count()},
            {"r", rounds_.empty() ? Json(nullptr) : Json(rounds_.back().r)},
            {"floor", number(floor_)},
            {"curve", curves_},
            {"snapshot", snapshot_ ? snapshot_->number : 0},
            {"snapshot_iteration", snapshot_ ? snapshot_->iteration : 0},
            {"powers", snapshot_ ? Json(snapshot_->powers) : Json::array()},
            {"job_notes", job_notes_}};
}

Json Monitor::hello() const {
    std::lock_guard lock(mutex_);
    return {{"job", job_json()}, {"state", state_json()}};
}

void Monitor::begin(Shell const& shell) {
    std::lock_guard lock(telling_);
    shell_.emplace(shell);
}
void Monitor::end() {
    std::lock_guard lock(telling_);
    shell_.reset();
}

void Monitor::opened(ClientId client) {
    std::lock_guard lock(mutex_);
    clients_.emplace(client, 0);
    asking_.insert(client);
}
void Monitor::closed(ClientId client) {
    std::lock_guard lock(mutex_);
    clients_.erase(client);
    asking_.erase(client);
    informed_.erase(client);
    changed_.notify_all();
}
void Monitor::heard(ClientId client) {
    std::lock_guard lock(mutex_);
    if (over()) informed_.insert(client);
    changed_.notify_all();
}

Result<Work> Monitor::understand(std::string const& op, Fields const& fields) {
    SLUICE_TRY(MonitorRequest const request, parse_monitor_request(op, fields));
    Work work;
    work.echo = echo(request);
    work.subject = "job";
    work.at_once = request.what == What::shown;
    work.answer = [this, request](Engine& engine, Job const& job) { answer(request, engine, job); };
    return work;
}

void Monitor::answer(MonitorRequest const& request, Engine& engine, Job const& job) {
    if (request.what == What::shown) {
        heard(job.client);
        return engine.done(job);
    }
    std::shared_ptr<Snapshot const> snapshot;
    std::vector<stem4d::PtychographyRound> rounds;
    Json header = header_of(job);
    {
        std::lock_guard lock(mutex_);
        snapshot = snapshot_;
        header["job"] = number_;
        if (request.what != What::curve && clients_.contains(job.client))
            asking_.insert(job.client);
        if (request.what == What::curve) {
            auto const first = std::min<std::int64_t>(request.number, std::ssize(rounds_));
            rounds.assign(rounds_.begin() + first, rounds_.end());
        } else if (request.what == What::object) {
            if (request.number >= job_.slices)
                return engine.refuse(job, no_such("slice", request.number));
            if (auto const at = clients_.find(job.client); at != clients_.end())
                at->second = request.number;
        }
        bool const there = request.what == What::curve ||
                           (snapshot && (request.what != What::object ||
                                         snapshot->slices.contains(request.number)));
        // Under the lock, so that the snapshot that it waits for comes after it.
        if (!there && !over()) return engine.park(job);
        if (!there)
            return engine.refuse(job, {Code::not_found,
                                       "the job has ended, and this was not kept for the page; "
                                       "look at the files that it wrote"});
    }
    if (snapshot) {
        header["snapshot"] = snapshot->number;
        header["iteration"] = snapshot->iteration;
    }
    ArrayMessage message;
    switch (request.what) {
        case What::object:
            add_wave(message, snapshot->slices.at(request.number));
            break;
        case What::probe:
            if (request.number >= std::ssize(snapshot->modes))
                return engine.refuse(job, no_such("mode", request.number));
            add_wave(message, snapshot->modes[static_cast<std::size_t>(request.number)]);
            break;
        case What::positions:
            add_positions(message, snapshot->positions, snapshot->started);
            break;
        default:
            add_curve(message, rounds);
    }
    engine.finish(job, message.finish(std::move(header)));
}

}  // namespace sluice::app
