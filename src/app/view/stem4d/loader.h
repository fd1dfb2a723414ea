// Loader: opens, previews and loads the catalog's datasets one after the other, on its own thread.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <thread>

#include "app/view/latest_queue.h"
#include "app/view/stem4d/catalog.h"
#include "app/view/stem4d/patience.h"

namespace sluice::app {

class Look;

/// How far a load is.
struct LoadProgress {
    std::uint64_t done = 0, total = 0;  ///< bytes of the files
    double seconds = 0;                 ///< since it began
};

struct LoaderOptions {
    OpenOptions open;
    LoadOptions load;
    Device device = Device::cpu();     ///< for the disk of the subset
    std::vector<std::string> folders;  ///< looked at again and again
    std::chrono::milliseconds look_every = std::chrono::seconds(2);
    std::function<void(std::string const& id, LoadProgress)> progress;
    std::function<void()> added;  ///< datasets appeared in a folder
};

class Loader {
  public:
    Loader(Catalog& catalog, LoaderOptions options);
    ~Loader();
    /// Starts with what the catalog holds.
    void begin();
    Loader(Loader const&) = delete;
    Loader& operator=(Loader const&) = delete;

    /// Puts a dataset first, also one that was cancelled or is incomplete.
    void load(std::string const& id);
    /// Stops loading it, or takes it out of the queue.
    void cancel(std::string const& id);
    /// A page starts, which needs the processors: whole loads wait until it has shown
    /// something, for a second at most.
    void give_way();
    void go_on();

  private:
    struct Task {
        std::string id;
        bool chosen;  // by somebody, and not just because it is there
    };
    // The files of a dataset as they were when it was read, and when they were last looked at.
    struct Seen {
        explicit Seen(std::chrono::milliseconds look_every = std::chrono::seconds(2))
            : patience(look_every) {}
        std::vector<std::string> files = {};
        std::string read = {}, last = {}, folder = {};
        bool found = false;  ///< in a folder that is watched
        Patience patience;
    };
    void live();
    void run(Task const& task);
    void ended(Task const& task);
    void fail(std::string const& id, std::string const& path, Error const& error);
    void forget(std::string const& id);
    Result<Dataset> open(Item const& item, bool chosen);
    /// Shows a scan that is loaded already.
    void show(Item const& item);
    /// Loads the subset, and settles what depends on the whole dataset.
    Result<LoadOptions> preview(std::string const& id, Dataset const& dataset);
    Status full(Task const& task, Dataset const& dataset, LoadOptions load);
    Result<Scan> load_within_limit(Task const& task, Dataset const& dataset, LoadOptions load);
    void let_page_start();
    bool report(std::string const& id, Clock::time_point start, std::uint64_t done,
                std::uint64_t total);
    void look_at_folders();
    void look_at_files();
    static bool forgets(Item const& item, Seen const& seen);
    bool is_due(Item const& item, Seen& seen, Look& look);
    void look_at(Item const& item, Seen& seen);

    Catalog& catalog_;
    LoaderOptions options_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Task> tasks_;
    std::string running_;
    std::atomic<bool> stop_ = false, cancel_ = false;
    std::atomic<Clock::time_point> way_until_ = Clock::time_point{};
    bool running_chosen_ = false, asked_again_ = false;
    std::map<std::string, Seen> seen_;  // by id; of the loader's own thread
    Clock::time_point next_look_ = {}, last_report_ = {};
    std::thread thread_;
};

}  // namespace sluice::app
