// Scans from the detector while they are measured.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "base/plural.h"
#include "domain/live/arming.h"
#include "domain/live/record.h"
#include "net/files/files.h"
#include "net/held_frames.h"
#include "net/scan_path.h"
#include "sluice/stem4d_live.h"

namespace sluice::stem4d {

struct LiveStream::State {
    std::unique_ptr<net::Receiver> receiver;
    LiveOptions options;
    std::unique_ptr<live::Arming> arming = {};
    std::mutex mutex = {};  // of what follows
    std::condition_variable changed = {};
    bool receives = false;  // a scan, on its thread
    bool counted = false;   // the problems are those of a scan before
    index scans = 0;

    /// False: go_on() said no. Problems are counted anew for the next scan.
    bool wait_until_free(GoOn const& go_on);
    void receive(net::FrameRing& ring);
    void free();
    /// Empty: go_on() said no. `armed` is the detector, where it is to be armed.
    Result<std::optional<net::Series>> wait_for_series(GoOn const& go_on,
                                                       std::unique_ptr<live::ArmedSeries>& armed);
};

struct LiveScan::State {
    std::shared_ptr<LiveStream::State> stream;
    std::string series;
    std::shared_ptr<net::Problems const> problems;
    Dataset dataset;
    std::shared_ptr<net::FrameRing> ring;
    std::optional<GrowingScan> kept = {};
    Status kept_all = {};
    std::unique_ptr<net::Recorder> recorder = {};
    std::unique_ptr<live::ArmedSeries> armed = {};
    std::mutex mutex = {};  // of what follows
    std::optional<RecordReport> recorded = {};
    std::jthread receiving = {}, keeping = {};

    ~State() { end("the work on its frames ended"); }
    void end(std::string const& why) const {
        if (ring) ring->end(why);
        if (armed) armed->stop();
    }
    void begin();
    void receive();
    void begin_record(net::Series const& series, live::LivePath const& path);
};

bool LiveStream::State::wait_until_free(GoOn const& go_on) {
    std::unique_lock lock(mutex);
    while (receives) {
        changed.wait_for(lock, std::chrono::milliseconds(50));
        if (!go_on()) return false;
    }
    if (std::exchange(counted, false)) receiver->count_anew();
    return true;
}

// The ring is asked whether to go on: who wants no more ends it.
void LiveStream::State::receive(net::FrameRing& ring) {
    receiver->receive(ring, [] { return true; });
}

void LiveStream::State::free() {
    std::lock_guard const lock(mutex);
    receives = false;
    changed.notify_all();
}

// What is left of a series that somebody else armed may lie before ours.
Result<std::optional<net::Series>> LiveStream::State::wait_for_series(
    GoOn const& go_on, std::unique_ptr<live::ArmedSeries>& armed) {
    if (!arming) return receiver->wait_for_series(go_on);
    SLUICE_TRY(bool const there, receiver->reach(go_on));
    if (!there) return std::optional<net::Series>();
    SLUICE_TRY(armed, arming->arm());
    armed->start();
    for (;;) {
        SLUICE_TRY(auto series,
                   receiver->wait_for_series([&] { return go_on() && !armed->failed(); }));
        if (auto const error = armed->failed()) return *error;
        if (!series || armed->is(series->name)) return series;
        receiver->problems().tell("series that this program did not arm",
                                  fmt::format("series {} came, and series {} is armed",
                                              series->name, armed->report().series));
    }
}

void LiveScan::State::begin() {
    {
        std::lock_guard const lock(stream->mutex);
        stream->receives = stream->counted = true;
    }
    receiving = std::jthread([this] { receive(); });
}

// The next scan is received while the files of this one are finished.
void LiveScan::State::receive() {
    // What libraries throw ends the scan, and not the program that holds the detector.
    try {
        stream->receive(*ring);
    } catch (std::exception const& e) {
        ring->end(fmt::format("receiving failed: {}", e.what()));
    }
    if (armed) armed->finish(ring->why_ended().empty());
    stream->free();
    if (!recorder) return;
    RecordReport report = recorder->finish(ring->why_ended());
    std::lock_guard const lock(mutex);
    recorded = std::move(report);
}

// A scan that cannot be recorded is looked at, and its report says why.
void LiveScan::State::begin_record(net::Series const& of, live::LivePath const& path) {
    RecordOptions const& options = stream->options.record;
    if (options.prefix.empty()) return;
    auto made = live::make_recorder(stream->options, of, path, stream->scans);
    if (made) {
        recorder = *std::move(made);
        return;
    }
    recorded = RecordReport{.error = made.error().text()};
    if (options.tell) options.tell("this scan is not recorded: " + recorded->error);
}

LiveScan::LiveScan(std::unique_ptr<State> state) : state_(std::move(state)) {}
LiveScan::LiveScan(LiveScan&&) noexcept = default;
LiveScan& LiveScan::operator=(LiveScan&&) noexcept = default;
LiveScan::~LiveScan() = default;

std::string const& LiveScan::series() const {
    return state_->series;
}
Dataset const& LiveScan::dataset() const {
    return state_->dataset;
}
FeedState LiveScan::state() const {
    return state_->ring->state();
}
std::vector<FrameRun> LiveScan::gaps() const {
    return state_->ring->gaps();
}
std::vector<StreamProblem> LiveScan::problems() const {
    return state_->problems->list();
}
std::string LiveScan::why_ended() const {
    return state_->ring->why_ended();
}
void LiveScan::end(std::string const& why) {
    state_->end(why);
}

std::optional<ControlReport> LiveScan::control() const {
    return state_->armed ? std::optional(state_->armed->report()) : std::nullopt;
}

void LiveScan::wait() {
    if (state_->receiving.joinable()) state_->receiving.join();
}

void LiveScan::only_record() {
    if (state_->recorder)
        state_->ring->discard();
    else
        state_->ring->end("the work on its frames ended");
}

std::optional<RecordReport> LiveScan::record() const {
    std::lock_guard const lock(state_->mutex);
    return state_->recorded;
}

Result<Disk> LiveScan::find_disk(index frames, LoadOptions const& load, index& used) const {
    auto first = state_->ring->first_frames(frames);
    used = std::ssize(first);
    if (first.empty())
        return Error{Code::incomplete,
                     fmt::format("none of the first {} came, on which the bright-field disk is "
                                 "measured; give it by --disk",
                                 plural(frames, "frame")),
                     state_->dataset.path};
    LoadOptions its = load;
    its.residency = Residency::stream;
    SLUICE_TRY(Scan const head,
               Scan::load(net::held_dataset(state_->dataset, std::move(first)), its));
    return stem4d::find_disk(head, load.device);
}

Status LiveScan::keep(LoadOptions const& load) {
    State& s = *state_;
    if (s.kept)
        return Error{Code::invalid_argument, "the scan is kept already; call keep() once",
                     s.dataset.path};
    SLUICE_TRY(s.kept, GrowingScan::begin(s.dataset, load));
    s.keeping = std::jthread([&s] { s.kept_all = s.kept->fill(); });
    return {};
}

Status LiveScan::finish() {
    if (state_->keeping.joinable()) state_->keeping.join();
    return state_->kept_all;
}

GrowingScan const* LiveScan::kept() const {
    return state_->kept ? &*state_->kept : nullptr;
}

LiveStream::LiveStream(std::shared_ptr<State> state) : state_(std::move(state)) {}
LiveStream::LiveStream(LiveStream&&) noexcept = default;
LiveStream& LiveStream::operator=(LiveStream&&) noexcept = default;
LiveStream::~LiveStream() = default;

Result<LiveStream> LiveStream::connect(std::string const& address, LiveOptions options) {
    SLUICE_CHECK(live::check_record(options.record));
    options.stream.open.scan_shape = options.scan;
    if (options.scan && options.positions.size() == 0)
        options.stream.line_images = (*options.scan)[1] + options.flyback;
    bool const files = net::files::is_path(address, options.stream.open);
    if (files && !options.record.prefix.empty())
        return Error{Code::invalid_argument,
                     "is being written already; leave out what records it (--record)", address};
    SLUICE_TRY(auto receiver, net::connect(address, options.stream));
    std::unique_ptr<live::Arming> arming;
    if (options.arm) {
        SLUICE_TRY(arming, live::Arming::connect(address, options));
    }
    auto state = std::make_shared<State>();
    state->arming = std::move(arming);
    state->receiver = std::move(receiver);
    state->options = std::move(options);
    return LiveStream(std::move(state));
}

std::vector<StreamProblem> LiveStream::problems() const {
    std::lock_guard const lock(state_->mutex);
    return state_->receiver->problems().list();
}

Result<std::optional<LiveScan>> LiveStream::next(GoOn const& go_on) {
    LiveOptions const& options = state_->options;
    if (!state_->wait_until_free(go_on)) return std::optional<LiveScan>();
    std::unique_ptr<live::ArmedSeries> armed;  // cancelled, if the scan does not begin
    SLUICE_TRY(auto const series, state_->wait_for_series(go_on, armed));
    if (!series) return std::optional<LiveScan>();
    SLUICE_TRY(live::LivePath const path, live::live_path(options, *series));
    auto scan = std::make_unique<LiveScan::State>();
    scan->stream = state_;
    scan->series = series->name;
    scan->problems = state_->receiver->share_problems();
    scan->begin_record(*series, path);
    ++state_->scans;
    net::RingOptions ring{
        .name = series->dataset.path,
        .frames = path.path.scan[0] * path.path.scan[1],
        .budget = options.memory / (options.record.prefix.empty() ? 1 : 2),
        .reorder = options.reorder,
        .reorder_time = std::chrono::milliseconds(std::llround(1000 * options.reorder_s)),
        .frame_of = net::frame_of(path.path),
        .spoiled = [problems = state_->receiver->share_problems()](index image, Error const& why) {
            problems->tell("images that cannot be decoded",
                           fmt::format("image {}: {}", image, why.message));
        }};
    if (net::Recorder* const recorder = scan->recorder.get())
        ring.tee = [recorder](index image, EncodedFrame const& frame,
                              std::shared_ptr<void const> const& owner) {
            recorder->put(image, frame, owner);
        };
    scan->ring = std::make_shared<net::FrameRing>(std::move(ring));
    scan->dataset = live_dataset(*series, path.path.scan, path.scan_from, scan->ring);
    Dataset& d = scan->dataset;
    d.notes.insert(d.notes.end(), path.notes.begin(), path.notes.end());
    if (armed) {
        armed->when_failed([ring = scan->ring](std::string const& why) { ring->end(why); });
        scan->armed = std::move(armed);
    }
    scan->begin();
    return std::optional<LiveScan>(LiveScan(std::move(scan)));
}

}  // namespace sluice::stem4d
