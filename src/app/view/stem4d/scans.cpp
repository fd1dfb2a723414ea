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
    return usable || !folders_.empty();
}

Json Scans::hello() const {
    return {{"max_detectors", max_detectors},
            {"datasets", catalog_.describe_all()},
            {"watching", !folders_.empty()},
            {"session", options_.session},
            {"loading", options_.loading},
            {"crystals", json_of(responder_.crystals())},
            {"calibrated", responder_.crystals().calibration.has_value()}};
}

LoaderOptions Scans::loader_options(Shell const& shell) {
    LoaderOptions load;
    load.open = options_.open;
    load.load = options_.load;
    load.device = options_.device;
    load.folders = folders_;
    load.look_every = options_.look_every;
    load.progress = [shell](std::string const& id, LoadProgress p) {
        shell.tell("progress:" + id, [&] { return progress_message(id, p); });
    };
    load.added = [this, shell] {
        shell.tell("datasets", [&] {
            return Json{{"op", "datasets"}, {"datasets", catalog_.describe_all()}};
        });
    };
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
    if (std::holds_alternative<LoadRequest>(request.what))
        loader_->load(id);
    else if (std::holds_alternative<CancelRequest>(request.what))
        loader_->cancel(id);
    else
        loader_->go_on();
}

}  // namespace sluice::app
