// Monitor: a reconstruction at work as a domain of the viewer.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>

#include "app/view/domain.h"
#include "app/view/ptychography/pace.h"
#include "app/view/ptychography/request.h"
#include "app/view/ptychography/snapshot.h"
#include "app/view/ptychography/speed.h"
#include "app/view/ptychography/told.h"

namespace sluice::app {

/// The job's thread tells it what happens; pages may come and go meanwhile. Arrays are copied only
/// when a page wants newer ones: five times a second at most, and for a twentieth of the time.
class Monitor final : public Domain {
  public:
    using Clock = std::chrono::steady_clock;
    /// Where `keep_all`, pages may look at all slices after the end; else at those they looked at.
    /// `now` is the time by which it paces itself.
    explicit Monitor(bool keep_all = false, std::function<Clock::time_point()> now = Clock::now)
        : keep_all_(keep_all), now_(std::move(now)) {}

    // From the job's thread:

    /// A job begins; it takes the place of an earlier one.
    void start(MonitoredJob job);
    void look(stem4d::PtychographyView const& view);
    void finish(stem4d::PtychographyResult const& result) { conclude(State::finished, result); }
    /// Ends, and a job that follows it comes.
    void pause(stem4d::PtychographyResult const& result) { conclude(State::paused, result); }
    /// Ends without a result; `stopped` by who started it.
    void fail(std::string const& why, bool stopped);
    /// Waits until all pages have what was told last, or none is there; false: not in this time.
    bool wait_for_pages(std::chrono::milliseconds longest);

    // For the shell:

    std::string_view page() const override { return "/ptychography.html"; }
    Json hello() const override;
    std::vector<std::string> const& notes() const override { return notes_; }
    Threads threads() const override { return {.quick = 1}; }
    Result<Work> understand(std::string const& op, Fields const& fields) override;
    void opened(ClientId client) override;
    void closed(ClientId client) override;
    void begin(Shell const& shell) override;
    void end() override;

  private:
    enum class State : std::uint8_t { waiting, running, paused, finished, stopped, failed };

    Json job_json() const;
    Json state_json() const;
    bool over() const { return state_ > State::paused; }
    void count(stem4d::PtychographyView const& view);
    void copy(stem4d::PtychographyView const& view);
    void measure_floor(stem4d::PtychographyView const& view);
    void take(Snapshot snapshot);
    void conclude(State state, stem4d::PtychographyResult const& result);
    void conclude(State state, std::string const& why);
    void tell(std::string const& op);
    std::set<index> wanted_slices() const;
    void answer(MonitorRequest const& request, Engine& engine, Job const& job);
    void heard(ClientId client);

    bool keep_all_;
    std::function<Clock::time_point()> now_;
    std::vector<std::string> notes_ = {};
    // Held while something is told; taken before mutex_.
    std::mutex telling_;
    std::optional<Shell> shell_;

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    MonitoredJob job_;
    std::uint64_t number_ = 0;  // of jobs
    State state_ = State::waiting;
    std::string why_;
    std::vector<stem4d::PtychographyRound> rounds_;
    std::uint64_t curves_ = 0;  // how often R was taken back
    std::vector<std::string> job_notes_;
    index iterations_ = 0;
    std::uint64_t done_ = 0, all_ = 0;
    double floor_ = 0;  // 0: not known yet
    Clock::time_point began_ = {}, ended_ = {};
    Speed speed_;
    std::shared_ptr<Snapshot const> snapshot_;
    std::map<ClientId, index> clients_;  // and the slice that each looks at
    std::set<ClientId> asking_;          // who has asked since the last snapshot
    std::set<ClientId> informed_;        // who has all that was told last

    // Of the job's thread alone.
    Pace telling_pace_{std::chrono::milliseconds(200), 1};
    Pace copying_pace_{std::chrono::milliseconds(200), 20};
    Pace floor_pace_{std::chrono::seconds(2), 50};
    std::uint64_t snapshots_ = 0;
};

}  // namespace sluice::app
