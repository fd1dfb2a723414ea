// Series after series: the first points, how it comes, its end.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/stem4d/live/live_source.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <deque>

#include "app/view/latest_queue.h"
#include "base/plural.h"
#include "store/plan.h"

namespace sluice::app {
namespace {

// How soon a page that waits hears of new points, and how often the others hear how a scan comes.
constexpr auto between_looks = std::chrono::milliseconds(4);
constexpr auto between_reports = std::chrono::milliseconds(100);
// The disk is found on the first points that come, so many or those of so long.
constexpr std::uint64_t first_points = 64;
constexpr auto first_while = std::chrono::seconds(1);
// What remains of a rate is what came lately.
constexpr auto rate_over = std::chrono::seconds(1);
constexpr std::size_t most_series = 500;  // that the list holds, also those without memory

double seconds(Clock::duration d) {
    return std::chrono::duration<double>(d).count();
}

std::string time_now() {
    std::time_t const now = std::time(nullptr);
    std::tm local{};
    ::localtime_r(&now, &local);
    return fmt::format("{:02}:{:02}:{:02}", local.tm_hour, local.tm_min, local.tm_sec);
}

// Frames per second over the last second.
class Rate {
  public:
    double after(Clock::time_point now, index received) {
        if (seen_.empty() || received != seen_.back().second) seen_.emplace_back(now, received);
        while (seen_.size() > 2 && now - seen_[1].first > rate_over) seen_.pop_front();
        auto const& [since, first] = seen_.front();
        double const span = seconds(seen_.back().first - since);
        return span > 0 ? static_cast<double>(seen_.back().second - first) / span : 0;
    }
    double silent(Clock::time_point now) const {
        return seen_.empty() ? 0 : seconds(now - seen_.back().first);
    }

  private:
    std::deque<std::pair<Clock::time_point, index>> seen_;
};

// Two receivers of one sender get every other image each, and neither hears of the other.
bool looks_shared(std::vector<FrameRun> const& gaps, index lost, index frames) {
    return lost > frames / 4 && std::ssize(gaps) > lost / 2;
}

}  // namespace

Result<std::unique_ptr<LiveSource>> LiveSource::open(Catalog& catalog, LiveSourceOptions options) {
    SLUICE_TRY(auto stream, stem4d::LiveStream::connect(options.address, options.stream));
    return std::unique_ptr<LiveSource>(
        new LiveSource(catalog, std::move(options), std::move(stream)));
}

LiveSource::LiveSource(Catalog& catalog, LiveSourceOptions options, stem4d::LiveStream stream)
    : catalog_(catalog),
      options_(std::move(options)),
      stream_(std::move(stream)),
      drift_(catalog) {}

void LiveSource::begin(std::function<void(LiveSourceOptions&)> const& wire) {
    wire(options_);
    drift_.begin(options_.told);
    thread_ = std::thread([this] { hear(); });
}

LiveSource::~LiveSource() {
    stop_ = true;
    for (std::string const& id : catalog_.ids())
        if (auto const item = catalog_.get(id);
            item && item->live && item->series->address == options_.address)
            item->live->scan().end("the viewer ended");
    if (thread_.joinable()) thread_.join();
}

Json LiveSource::describe() const {
    Json drift = drift_.describe();
    std::lock_guard lock(mutex_);
    return {{"address", options_.address}, {"state", state_},     {"message", message_},
            {"series", series_},           {"dropped", dropped_}, {"drift", std::move(drift)}};
}

void LiveSource::say(std::string state, std::string message) {
    {
        std::lock_guard lock(mutex_);
        if (state_ == state && message_ == message) return;
        state_ = std::move(state);
        message_ = std::move(message);
    }
    options_.told();
}

// Whatever a detector sends, it does not end the viewer.
void LiveSource::hear() {
    while (!stop_) {
        try {
            auto scan = stream_.next([this] { return !stop_; });
            if (!scan) {
                say("waiting", scan.error().text());
                std::this_thread::sleep_for(between_reports);
            } else if (*scan) {
                receive(std::move(**scan));
            }
        } catch (std::exception const& thrown) {
            say("waiting", thrown.what());
            std::this_thread::sleep_for(between_reports);
        }
    }
}

void LiveSource::receive(stem4d::LiveScan scan) {
    auto const series = std::make_shared<LiveSeries>(std::move(scan));
    Dataset const& dataset = series->scan().dataset();
    make_room({}, last_bytes_ > 0 ? last_bytes_ : dataset.bytes() / 8);
    LoadOptions load = options_.load;
    load.residency = Residency::memory;
    load.layout = Layout::planes;
    load.memory = catalog_.memory_for_series(options_.load.memory);
    Status const begun = series->scan().keep(load);
    SeriesFacts facts{options_.address, series->scan().series(), time_now()};
    std::string const id = catalog_.add(facts, dataset, begun ? series : nullptr);
    {
        std::lock_guard lock(mutex_);
        ++series_;
    }
    say("receiving", "");
    options_.added();
    // Who ends this has either seen the item, or is seen here.
    if (stop_) series->scan().end("the viewer ended");
    if (!begun) {
        series->scan().end(begun.error().message);
        settle(id, series, begun);
    } else {
        Status kept;
        {
            std::jthread const watcher(
                [&](std::stop_token const& stop) { watch(stop, id, *series); });
            kept = series->scan().finish();
        }
        settle(id, series, kept);
    }
    say("waiting", "");
}

void LiveSource::watch(std::stop_token const& stop, std::string const& id, LiveSeries& series) {
    Rate rate;
    std::uint64_t seen = 0;
    bool shown = false;
    Clock::time_point next_report = {}, first = {};
    index const of = series.scan().dataset().frames;
    while (!stop.stop_requested()) {
        auto const now = Clock::now();
        std::uint64_t const ready = series.seen();
        if (ready > 0 && first == Clock::time_point{}) first = now;
        if (!shown && (ready >= first_points || (ready > 0 && now - first > first_while))) {
            show_first(id, series);
            shown = true;
        }
        if (shown && ready != seen) options_.grew(id);
        seen = ready;
        if (now >= next_report) {
            next_report = now + between_reports;
            FeedState const state = series.scan().state();
            double const per_second = rate.after(now, state.received);
            options_.comes(id, {state.received, of, state.gaps, state.waiting(), 1e3 * state.lag_s,
                                per_second, rate.silent(now)});
            auto problems = problems_of(series);
            if (auto const item = catalog_.get(id); item && item->series->problems != problems)
                catalog_.change(id, [&](Item& i) { i.series->problems = std::move(problems); });
            make_room(id, 0);
        }
        std::this_thread::sleep_for(between_looks);
    }
}

void LiveSource::show_first(std::string const& id, LiveSeries& series) {
    auto const part = series.so_far();
    auto const disk = stem4d::find_disk_of_sample(*part.scan, options_.device);
    catalog_.change(id, [&](Item& i) {
        i.files = i.full = part.scan;
        i.read = 1;
        if (!disk) return;
        i.disk = *disk;
        i.series->disk_points = static_cast<index>(part.seen);
    });
}

void LiveSource::settle(std::string const& id, std::shared_ptr<LiveSeries> const& series,
                        Status const& kept) {
    std::vector<std::string> problems = problems_of(*series);
    std::string const why = series->scan().why_ended();
    if (!kept && kept.error().code == Code::out_of_memory)
        problems.insert(problems.begin(),
                        fmt::format("the series does not fit into memory ({}); what came is kept: "
                                    "give a larger --memory-limit, --det-bin 2, or a "
                                    "--detector-region",
                                    kept.error().message));
    else if (!kept)
        problems.insert(problems.begin(), kept.error().message);
    else if (!why.empty())
        problems.insert(problems.begin(), "the series ended early: " + why);
    std::shared_ptr<Scan const> scan;
    if (series->scan().kept() && series->seen() > 0)
        scan = std::make_shared<Scan const>(series->scan().kept()->so_far());
    std::optional<stem4d::Disk> disk;
    if (auto const item = catalog_.get(id); scan && item && !item->disk)
        if (auto found = stem4d::find_disk_of_sample(*scan, options_.device)) disk = *found;
    catalog_.change(id, [&](Item& i) {
        i.live.reset();
        i.files = i.full = scan;
        i.read = 1;
        i.seen = 0;
        i.state = scan ? State::ready : State::failed;
        i.code = kept ? Code::incomplete : kept.error().code;
        if (scan) i.dataset = scan->dataset();
        i.message = scan ? ""
                         : fmt::format("no frame of it came{}{}", problems.empty() ? "" : ": ",
                                       problems.empty() ? "" : problems.front());
        i.series->running = false;
        i.series->problems = std::move(problems);
        if (!disk) return;
        i.disk = disk;
        i.series->disk_points = scan->scan_shape()[0] * scan->scan_shape()[1];
    });
    last_bytes_ = scan ? scan->memory().resident : last_bytes_;
    if (scan) drift_.add(id);
}

// The newest has the room of the oldest: nothing of what comes is to be lost.
void LiveSource::make_room(std::string const& id, std::uint64_t need) {
    bool news = false;
    while (catalog_.short_of_memory(options_.load.memory, need) ||
           catalog_.series() > most_series) {
        if (!catalog_.drop_oldest_series(id)) break;
        std::lock_guard lock(mutex_);
        ++dropped_;
        news = true;
    }
    if (!news) return;
    options_.added();
    options_.told();
}

std::vector<std::string> LiveSource::problems_of(LiveSeries const& series) {
    std::vector<std::string> all;
    index const frames = series.scan().dataset().frames;
    if (index const lost = series.scan().state().gaps; lost > 0) {
        all.push_back(
            fmt::format("{} of {} frames are lost: their points are empty", lost, frames));
        if (looks_shared(series.scan().gaps(), lost, frames))
            all.emplace_back(
                "most losses are single frames: another program seems to receive the same stream, "
                "and the detector gives each frame to one of them; end it, and open further pages "
                "of this viewer instead");
    }
    for (StreamProblem const& p : series.scan().problems()) all.push_back(text_of(p));
    return all;
}

}  // namespace sluice::app
