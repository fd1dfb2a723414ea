// LiveSource: hears a detector; each of its series becomes an item of the catalog.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <thread>

#include "app/view/stem4d/live/series_drift.h"

namespace sluice::app {

/// How a series comes.
struct Coming {
    index received = 0, of = 0, lost = 0, waiting = 0;  ///< frames
    double lag_ms = 0;                                  ///< of the one that waits longest
    double rate = 0;                                    ///< frames per second
    double silent_s = 0;                                ///< since the last frame came
};

struct LiveSourceOptions {
    std::string address;
    stem4d::LiveOptions stream = {};
    LoadOptions load = {};
    Device device = Device::cpu();  ///< for the disk
    // Called by the source's threads.
    std::function<void()> added = {};  ///< a series began, or left memory
    std::function<void()> told = {};   ///< describe() changed
    /// More of a series has come.
    std::function<void(std::string const& id)> grew = {};
    std::function<void(std::string const& id, Coming)> comes = {};
};

class LiveSource {
  public:
    /// Connects. Errors: those of LiveStream::connect().
    static Result<std::unique_ptr<LiveSource>> open(Catalog& catalog, LiveSourceOptions options);
    ~LiveSource();
    LiveSource(LiveSource const&) = delete;
    LiveSource& operator=(LiveSource const&) = delete;

    /// What is told from now on. Begins to hear.
    void begin(std::function<void(LiveSourceOptions&)> const& wire);
    Json describe() const;

  private:
    LiveSource(Catalog& catalog, LiveSourceOptions options, stem4d::LiveStream stream);
    void hear();
    void receive(stem4d::LiveScan scan);
    void watch(std::stop_token const& stop, std::string const& id, LiveSeries& series);
    void show_first(std::string const& id, LiveSeries& series);
    void settle(std::string const& id, std::shared_ptr<LiveSeries> const& series,
                Status const& kept);
    void make_room(std::string const& id, std::uint64_t need);
    static std::vector<std::string> problems_of(LiveSeries const& series);
    void say(std::string state, std::string message);

    Catalog& catalog_;
    LiveSourceOptions options_;
    stem4d::LiveStream stream_;
    mutable std::mutex mutex_;  // of the next four
    std::string state_ = "waiting", message_ = {};
    index series_ = 0, dropped_ = 0;
    std::uint64_t last_bytes_ = 0;  // of the series before
    std::atomic<bool> stop_ = false;
    SeriesDrift drift_;
    std::thread thread_;
};

}  // namespace sluice::app
