// Collects datasets, tells what becomes of them, and hands requests on.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/stem4d/scans.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "app/view/engine.h"
#include "app/view/stem4d/echo.h"

namespace sluice::app {
namespace {

namespace fs = std::filesystem;

Json progress_message(std::string const& id, LoadProgress p) {
    double const rate = static_cast<double>(p.done) / std::max(p.seconds, 1e-3);
    double const left =
        static_cast<double>(p.total - std::min(p.done, p.total)) / std::max(rate, 1.0);
    return {{"op", "progress"}, {"dataset", id}, {"slot", nullptr}, {"done", p.done},
            {"total", p.total}, {"rate", rate},  {"left", left}};
}

Json json_of(KnownCrystals const& known) {
    Json all = Json::array();
    for (std::size_t i = 0; i < known.cells.size(); ++i)
        all.push_back({{"name", known.cells[i].name},
                       {"file", known.files[i]},
                       {"notes", known.cells[i].notes}});
    return all;
}

}  // namespace

Scans::Scans(ScansOptions options)
    : options_(std::move(options)), responder_(catalog_, options_.device, options_.crystals) {}

Result<std::unique_ptr<Domain>> Scans::open(ScansOptions options) {
    std::unique_ptr<Scans> scans(new Scans(std::move(options)));
    SLUICE_CHECK(scans->listen());
    if (!scans->collect())
        return Error{Code::not_found,
                     fmt::format("nothing to look at:\n  {}", fmt::join(scans->notes_, "\n  "))};
    return std::unique_ptr<Domain>(std::move(scans));
}

// What the paths stand for; those that cannot be used leave a line in the notes. False: all.
bool Scans::collect() {
    bool usable = false;
    for (std::string const& path : options_.paths) {
        std::error_code failed;
        if (fs::is_directory(path, failed)) {
            folders_.push_back(path);
            auto const files = list_members(path, options_.open);
            if (!files) notes_.push_back(files.error().text());
            for (std::string const& file : files ? *files : std::vector<std::string>{})
                if (!catalog_.holds(file)) catalog_.add(file);
            continue;
        }
        // Opened once here, so that a wrong name is said in the terminal at once.
        auto const dataset = sluice::open(path, options_.open);
        if (!dataset && dataset.error().code != Code::incomplete)
            notes_.push_back(dataset.error().text());
        // A file that cannot be opened stays listed with the reason: it may be mended, or complete
        // later.
        bool const there = dataset || fs::is_regular_file(path, failed);
        if (there && !catalog_.holds(path)) catalog_.add(path);
        usable = usable || dataset || dataset.error().code == Code::incomplete ||
                 (there && dataset.error().code == Code::not_found);
    }
    for (GivenScan& given : options_.given) {
        catalog_.add(std::move(given.dataset), std::move(given.scan));
        usable = true;
    }
    options_.given.clear();
    return usable || !folders_.empty() || !sources_.empty();
}

// Refused here, so that it is said in the terminal, and not when a series is lost.
Status Scans::listen() {
    LoadOptions const& load = options_.load;
    char const* const whole = load.hot_pixels                       ? "--hot-pixels"
                              : load.det_bin == 0                   ? "--det-bin auto"
                              : load.residency == Residency::stream ? "--stream"
                              : load.layout == Layout::dense        ? "--layout dense"
                              : load.layout == Layout::lines        ? "--layout lines"
                                                                    : nullptr;
    if (whole && !options_.streams.empty())
        return Error{
            Code::invalid_argument,
            fmt::format("{} needs the whole scan (a scan that is measured is not there yet) "
                        "leave it out",
                        whole),
            options_.streams.front()};
    for (std::string const& address : options_.streams) {
        SLUICE_TRY(auto source, LiveSource::open(catalog_, {.address = address,
                                                            .stream = options_.stream,
                                                            .load = options_.load,
                                                            .device = options_.device}));
        sources_.push_back(std::move(source));
    }
    return {};
}

Json Scans::describe_sources() const {
    Json all = Json::array();
    for (auto const& source : sources_) all.push_back(source->describe());
    return all;
}

Json Scans::hello() const {
    return {{"max_detectors", max_detectors},
            {"datasets", catalog_.describe_all()},
            {"watching", !folders_.empty()},
            {"session", options_.session},
            {"loading", options_.loading},
            {"crystals", json_of(responder_.crystals())},
            {"calibrated", responder_.crystals().calibration.has_value()},
            {"live", describe_sources()}};
}

LoaderOptions Scans::loader_options(Shell const& shell) {
    LoaderOptions load;
    load.open = options_.open;
    load.load = options_.load;
    // A GPU counts tiles.
    load.load.many_images = !options_.device.remote();
    load.device = options_.device;
    load.folders = folders_;
    load.look_every = options_.look_every;
    load.progress = [shell](std::string const& id, LoadProgress p) {
        shell.tell("progress:" + id, [&] { return progress_message(id, p); });
    };
    load.added = [this, shell] { tell_all(shell); };
    return load;
}

void Scans::begin(Shell const& shell) {
    loader_ = std::make_unique<Loader>(catalog_, loader_options(shell));
    catalog_.on_change = [this, shell](std::string const& id) {
        // One that is gone is missing in the next list.
        if (catalog_.get(id))
            shell.tell("dataset:" + id, [&] {
                return Json{{"op", "dataset"}, {"dataset", catalog_.describe(id)}};
            });
        shell.engine.changed(id);
    };
    // Only now, since its changes reach the engine.
    loader_->begin();
    for (auto const& source : sources_)
        source->begin([&](LiveSourceOptions& options) { wire(shell, options); });
}

void Scans::wire(Shell const& shell, LiveSourceOptions& options) {
    options.added = [this, shell] { tell_all(shell); };
    options.told = [this, shell] {
        shell.tell("live", [&] { return Json{{"op", "live"}, {"live", describe_sources()}}; });
    };
    options.grew = [shell](std::string const& id) { shell.engine.changed(id); };
    options.comes = [shell](std::string const& id, Coming const& now) {
        shell.tell("coming:" + id, [&] {
            return Json{{"op", "coming"},       {"dataset", id},    {"received", now.received},
                        {"of", now.of},         {"lost", now.lost}, {"waiting", now.waiting},
                        {"lag_ms", now.lag_ms}, {"rate", now.rate}, {"silent_s", now.silent_s}};
        });
    };
}

void Scans::tell_all(Shell const& shell) {
    shell.tell("datasets", [&] {
        return Json{{"op", "datasets"}, {"datasets", catalog_.describe_all()}};
    });
}

Json Scans::about(Engine const& engine, Job const& job) const {
    Json about = scan_fields(engine, job, 0);
    if (auto const item = catalog_.get(job.work->subject)) about["read"] = item->read;
    return about;
}

Result<Work> Scans::understand(std::string const& op, Fields const& fields) {
    SLUICE_TRY(ScanRequest request, parse_scan_request(op, fields));
    Work work;
    work.echo = echo(request);
    work.subject = request.dataset;
    work.at_once = std::holds_alternative<LoadRequest>(request.what) ||
                   std::holds_alternative<CancelRequest>(request.what) ||
                   std::holds_alternative<ShownRequest>(request.what) ||
                   std::holds_alternative<StopSlotRequest>(request.what);
    if (std::holds_alternative<StopSlotRequest>(request.what))
        work.answer = [](Engine& engine, Job const& job) {
            engine.forget(job.client, job.envelope.slot);
        };
    else if (work.at_once)
        work.answer = [this, request = std::move(request)](Engine& engine, Job const& job) {
            obey(engine, job, request);
        };
    else
        work.answer = [this, request = std::move(request)](Engine& engine, Job const& job) {
            responder_.answer(engine, job, request);
        };
    return work;
}

void Scans::obey(Engine& engine, Job const& job, ScanRequest const& request) {
    std::string const& id = request.dataset;
    if (!catalog_.get(id)) return engine.refuse(job, no_dataset(id));
    Json header = header_of(job);
    header.update(scan_fields(engine, job, 0));
    // First the answer: what the dataset becomes is told after it.
    engine.finish(job, text_message(header));
    auto const item = catalog_.get(id);
    // What came from a detector is in no file.
    bool const file = !item || !item->series;
    bool const cancel = std::holds_alternative<CancelRequest>(request.what);
    if (item && item->live && cancel) item->live->scan().end("somebody ended it in the viewer");
    if (!file && !std::holds_alternative<ShownRequest>(request.what)) return;
    if (std::holds_alternative<LoadRequest>(request.what))
        loader_->load(id);
    else if (cancel)
        loader_->cancel(id);
    else
        loader_->go_on();
}

}  // namespace sluice::app
