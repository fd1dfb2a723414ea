// One dataset at a time: open, a coarse subset, everything.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/stem4d/loader.h"

#include <fmt/format.h>

#include <filesystem>

#include "app/view/stem4d/signature.h"
#include "store/plan.h"

namespace sluice::app {
namespace {

namespace fs = std::filesystem;
constexpr auto report_every = std::chrono::milliseconds(200);
constexpr auto longest_start = std::chrono::seconds(1);  // of a page

std::vector<std::string> files_of(Dataset const& dataset) {
    return dataset.files.empty() ? std::vector<std::string>{dataset.path} : dataset.files;
}

}  // namespace

Loader::Loader(Catalog& catalog, LoaderOptions options)
    : catalog_(catalog), options_(std::move(options)) {}

void Loader::begin() {
    for (std::string const& id : catalog_.ids()) tasks_.push_back({id, false});
    thread_ = std::thread([this] { live(); });
}

Loader::~Loader() {
    {
        std::lock_guard lock(mutex_);
        stop_ = true;
        changed_.notify_all();
    }
    if (thread_.joinable()) thread_.join();
}

void Loader::load(std::string const& id) {
    catalog_.change(id, [](Item& item) {
        bool const again = item.state == State::stopped || item.state == State::failed ||
                           item.state == State::incomplete || item.awaited;
        if (!again) return;
        item.state = item.preview ? State::preview : State::waiting;
        item.awaited = false;
        item.message.clear();
    });
    catalog_.touch(id);
    std::lock_guard lock(mutex_);
    if (running_ == id && running_chosen_ && !cancel_) {
        asked_again_ = true;
        return;
    }
    std::erase_if(tasks_, [&](Task const& t) { return t.id == id; });
    tasks_.push_front({id, true});
    changed_.notify_all();
}

void Loader::cancel(std::string const& id) {
    bool waited = false;
    {
        std::lock_guard lock(mutex_);
        if (running_ == id) cancel_ = true;
        changed_.notify_all();
        waited = std::erase_if(tasks_, [&](Task const& t) { return t.id == id; }) > 0;
    }
    if (waited)
        catalog_.change(id, [](Item& item) {
            if (item.state != State::waiting && item.state != State::preview) return;
            item.state = State::stopped;
            item.code = Code::cancelled;
            item.message = "loading was stopped";
        });
}

void Loader::give_way() {
    way_until_ = Clock::now() + longest_start;
}

void Loader::go_on() {
    std::lock_guard lock(mutex_);
    way_until_ = Clock::time_point{};
    changed_.notify_all();
}

void Loader::let_page_start() {
    std::unique_lock lock(mutex_);
    while (!stop_ && !cancel_ && Clock::now() < way_until_.load())
        changed_.wait_until(lock, way_until_.load());
}

void Loader::live() {
    while (!stop_) {
        std::optional<Task> task;
        {
            std::unique_lock lock(mutex_);
            if (tasks_.empty()) changed_.wait_for(lock, options_.look_every);
            if (stop_) return;
            if (!tasks_.empty()) {
                task = tasks_.front();
                tasks_.pop_front();
                running_ = task->id;
                running_chosen_ = task->chosen;
                cancel_ = asked_again_ = false;
            }
        }
        if (task) {
            run(*task);
            ended(*task);
        }
        if (Clock::now() < next_look_) continue;
        // Whatever a folder holds, it does not end the viewer.
        try {
            look_at_folders();
            look_at_files();
        } catch (std::exception const&) {
        }
        next_look_ = Clock::now() + options_.look_every;
    }
}

// Who asked between its failure and now is answered by a new attempt, and else would wait for ever.
void Loader::ended(Task const& task) {
    std::lock_guard lock(mutex_);
    running_.clear();
    auto const item = catalog_.get(task.id);
    bool const waits =
        item && (item->state == State::waiting || item->state == State::preview) && !item->awaited;
    if (asked_again_ && waits) tasks_.push_front({task.id, true});
}

// Detectors write the master first: a file that cannot be opened now may be complete soon.
void Loader::fail(std::string const& id, std::string const& path, Error const& error) {
    std::error_code ignored;
    auto const item = catalog_.get(id);
    bool const there = fs::exists(path, ignored) || (item && item->given);
    bool const written = seen_[id].patience.lively(Clock::now());
    bool const ended = error.code == Code::cancelled || error.code == Code::out_of_memory;
    bool const awaited = !ended && there && (written || error.code == Code::not_found);
    State const state = error.code == Code::cancelled    ? State::stopped
                        : awaited                        ? State::waiting
                        : error.code == Code::incomplete ? State::incomplete
                                                         : State::failed;
    std::string const message =
        state == State::stopped ? "loading was stopped"
        : !there                ? "the file is gone; it is read when it is back"
        : awaited
            ? fmt::format("waits for its files, and opens when they are complete: {}", error.text())
            : error.text();
    // News only: it may be tried often.
    if (item && item->state == state && item->message == message && item->awaited == awaited)
        return;
    catalog_.change(id, [&](Item& i) {
        i.state = state;
        i.code = there ? error.code : Code::not_found;
        i.awaited = awaited;
        i.message = message;
    });
}

void Loader::run(Task const& task) {
    std::optional<Item> const item = catalog_.get(task.id);
    // Data in memory is read again only when somebody asks, and the files have changed.
    bool const there = item && item->full && item->full->resident();
    if (!item || (there && !(task.chosen && item->changed))) return;
    auto const fail = [&](Error const& error) { this->fail(task.id, item->path, error); };
    try {
        if (item->given_scan) return show(*item);
        // Before they are opened, so that a change while they are read is seen afterwards.
        Seen& seen = seen_.try_emplace(task.id, options_.look_every).first->second;
        if (seen.files.empty()) seen.files = {item->path};
        seen.read = seen.last = signature_of(seen.files);
        seen.folder = Look::folder_of(item->path);
        seen.patience.tried(Look().family_of(item->path, seen.files), Clock::now());
        auto dataset = open(*item, task.chosen);
        if (!dataset) {
            forget(task.id);
            return fail(dataset.error());
        }
        // Of the same files the first signature stays, so that a change meanwhile is seen.
        if (auto files = files_of(*dataset); files != seen.files) {
            seen.files = std::move(files);
            seen.read = seen.last = signature_of(seen.files);
        }
        auto const load = preview(task.id, *dataset);
        if (!load) {
            forget(task.id);
            return fail(load.error());
        }
        if (Status const status = full(task, *dataset, *load); !status) {
            // The subset that was just read stays, unless its files are others by now.
            if (signature_of(seen.files) != seen.read) forget(task.id);
            fail(status.error());
        }
    } catch (std::bad_alloc const&) {
        forget(task.id);
        fail({Code::out_of_memory, "the machine ran out of memory", item->path});
    } catch (std::exception const& error) {
        forget(task.id);
        fail({Code::io, error.what(), item->path});
    }
}

// Data that was read before must not be shown as the files' present content.
void Loader::forget(std::string const& id) {
    catalog_.edit(id, [](Item& i) {
        i.full.reset();
        i.preview.reset();
        i.files.reset();
    });
}

void Loader::show(Item const& item) {
    auto const scan = item.given_scan;
    std::optional<stem4d::Disk> disk;
    if (auto found = stem4d::find_disk(*scan, options_.device)) disk = *found;
    catalog_.change(item.id, [&](Item& i) {
        i.dataset = i.given;
        i.scan = scan->scan_shape();
        i.detector = scan->detector_shape();
        i.files = i.full = scan;
        i.disk = disk;
        i.message.clear();
        ++i.read;
        i.state = scan->resident() ? State::ready : State::streaming;
    });
}

Result<Dataset> Loader::open(Item const& item, bool chosen) {
    if (item.given) return *item.given;
    OpenOptions options = options_.open;
    auto dataset = sluice::open(item.path, options);
    if (dataset || dataset.error().code != Code::incomplete) return dataset;
    // Chosen although it is incomplete: the frames that are there are shown.
    options.allow_incomplete = true;
    auto part = sluice::open(item.path, options);
    if (chosen || !part) return part;
    seen_[item.id].files = files_of(*part);
    catalog_.change(item.id, [&](Item& i) {
        i.dataset = *part;
        i.scan = part->scan;
        i.detector = {part->rows, part->cols};
    });
    return dataset;
}

Result<LoadOptions> Loader::preview(std::string const& id, Dataset const& dataset) {
    LoadOptions load = options_.load;
    load.progress = [this](std::uint64_t, std::uint64_t) { return !stop_ && !cancel_; };
    load.residency = Residency::stream;
    // Only the whole scan has lines: they are refused of streams, and no subset is large.
    if (load.layout == Layout::lines) load.layout = Layout::automatic;
    load.many_images = false;
    SLUICE_TRY(Scan files, Scan::load(dataset, load));
    auto const shape = files.scan_shape();
    auto const detector = files.detector_shape();
    // The subset would fit with less binning than the whole.
    LoadOptions settled = options_.load;
    settled.det_bin = load.det_bin = files.plan().det_bin;
    auto const shared = std::make_shared<Scan const>(std::move(files));
    // The subset is the sample that the disk is measured on everywhere.
    index const step = stem4d::disk_sample_step(shape);
    std::shared_ptr<Scan const> subset;
    // Binned scan points are sums of neighbours, which a subset does not have.
    if (step > 1 && load.scan_bin == 1) {
        load.residency = Residency::memory;
        load.scan_step = step * options_.load.scan_step;
        auto scan = Scan::load(dataset, load);
        if (!scan && scan.error().code != Code::out_of_memory) return std::move(scan).error();
        if (scan) subset = std::make_shared<Scan const>(std::move(*scan));
    }
    std::optional<stem4d::Disk> disk;
    if (subset)
        if (auto found = stem4d::find_disk_of_sample(*subset, options_.device)) disk = *found;
    catalog_.change(id, [&](Item& i) {
        i.dataset = dataset;
        i.scan = shape;
        i.detector = detector;
        i.files = shared;
        i.preview = subset;
        i.step = subset ? step : 1;
        i.full.reset();
        i.disk = disk;
        i.message.clear();
        i.changed = false;
        i.awaited = false;
        ++i.read;
        i.state = subset ? State::preview : State::waiting;
    });
    return settled;
}

Result<Scan> Loader::load_within_limit(Task const& task, Dataset const& dataset, LoadOptions load) {
    std::uint64_t const limit = options_.load.memory;
    bool const may_stay = options_.load.residency == Residency::automatic;
    while (true) {
        std::uint64_t const others = catalog_.resident_bytes(task.id);
        // 0 would be no limit at all.
        if (limit) load.memory = limit > others ? limit - others : 1;
        auto scan = Scan::load(dataset, load);
        if (!scan || scan->resident() || !may_stay || !task.chosen) return scan;
        // Others make room for what somebody chose, where that helps.
        Memory const memory = scan->memory();
        std::uint64_t const need =
            scan->chosen_layout() == Layout::planes ? memory.planes : memory.source;
        std::uint64_t const most = limit ? limit : store::memory_to_spare() + others;
        if (need > most || !catalog_.evict(task.id)) return scan;
    }
}

Status Loader::full(Task const& task, Dataset const& dataset, LoadOptions load) {
    let_page_start();
    auto const start = Clock::now();
    load.progress = [&](std::uint64_t done, std::uint64_t total) {
        return report(task.id, start, done, total);
    };
    SLUICE_TRY(Scan scan, load_within_limit(task, dataset, std::move(load)));
    auto const shared = std::make_shared<Scan const>(std::move(scan));
    std::optional<stem4d::Disk> disk;
    // A subset is the sample that the disk is measured on: what it does not show is not there.
    if (auto const item = catalog_.get(task.id); item && !item->disk && !item->preview)
        if (auto found = stem4d::find_disk(*shared, options_.device)) disk = *found;
    catalog_.change(task.id, [&](Item& i) {
        i.full = shared;
        if (disk) i.disk = disk;
        i.state = shared->resident() ? State::ready : State::streaming;
        if (shared->resident()) i.preview.reset();
    });
    return {};
}

bool Loader::report(std::string const& id, Clock::time_point start, std::uint64_t done,
                    std::uint64_t total) {
    auto const now = Clock::now();
    // One worker at a time is here: its processor is the page's, and the others go on.
    if (now < way_until_.load()) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    if (now - last_report_ >= report_every) {
        last_report_ = now;
        options_.progress(id, {done, total, std::chrono::duration<double>(now - start).count()});
    }
    return !stop_ && !cancel_;
}

}  // namespace sluice::app
