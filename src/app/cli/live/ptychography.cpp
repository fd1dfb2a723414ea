// Ptychography of what has come, and of the finished scan.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/live/ptychography.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/cli/live/record_report.h"
#include "app/cli/ptychography/input.h"
#include "app/cli/ptychography/report.h"
#include "domain/ptychography/input/scan_counts.h"
#include "domain/stem4d/parse_places.h"

namespace sluice::cli {

struct LivePtychography::Look {
    PtychographyCommand command;
    stem4d::Patterns patterns;
    std::vector<index> frames;
    PatternsFacts facts = {};
    stem4d::PtychographyResult result = {};
};

LivePtychography::LivePtychography(PtychographyWish const& wish, Stem4dJob const& job,
                                   stem4d::LiveScan& live)
    : wish_(wish), job_(job), live_(live) {}

// A reconstruction changes what it is asked for.
PtychographyCommand LivePtychography::command(index points) const {
    PtychographyCommand c = wish_.command;
    c.job.output.folder = job_.output.folder;
    c.watched_as =
        fmt::format("series {}, {} of {} points", live_.series(), points, live_.dataset().frames);
    c.follows = before_.has_value();
    return c;
}

void LivePtychography::look(Scan const& part, index points, stem4d::Options const& run) {
    if (wish_.look_iterations == 0) return;
    auto begun = begin(part, points, run);
    if (!begun) {
        // Geometry that is not known will not be known later; a disk may be found in more points.
        bool const wrong = begun.error().code == Code::invalid_argument;
        if (wrong && !std::exchange(told_, true))
            warn_at_once("what has come is not reconstructed: " + begun.error().text());
        return;
    }
    PtychographyCommand& c = begun->command;
    c.watched->watch(c.watched_as, c.follows, begun->patterns, c.options);
    auto found = stem4d::ptychography(std::move(begun->patterns), c.options);
    if (!found) {
        before_.reset();
        return;
    }
    c.watched->pause(*found);
    begun->result = *std::move(found);
    if (Status const written = write(part, points, *begun); written) {
        ++looks_;
        looked_ = points;
    } else if (!std::exchange(told_, true)) {
        warn_at_once("the reconstruction of what has come cannot be written: " +
                     written.error().text());
    }
    before_ = std::move(begun->result);
    frames_ = std::move(begun->frames);
}

Result<LivePtychography::Look> LivePtychography::begin(Scan const& part, index points,
                                                       stem4d::Options const& run) {
    Look look{.command = command(points), .patterns = {}, .frames = ptycho::measured_frames(part)};
    PtychographyCommand& c = look.command;
    c.patterns.propagation = c.options.propagation;
    if (c.options.propagation == stem4d::Propagation::far) {
        if (points >= disk_again_) {
            disk_.reset();
            disk_again_ = 2 * points;
            auto found = c.job.disk.empty() ? stem4d::find_disk(part, run.device)
                                            : stem4d::parse_disk(c.job.disk);
            if (found) disk_ = *found;
        }
        if (!disk_) return Error{Code::incomplete, "the points show no direct beam yet"};
        auto const center = stem4d::to_array(*disk_, stem4d::pixel_grid(part)).center;
        c.patterns.center = stem4d::Position{center.row, center.col};
    }
    SLUICE_TRY(look.patterns, stem4d::patterns_of(part, c.patterns));
    c.options.device = run.device;
    c.options.progress = run.progress;
    c.options.checkpoint.clear();  // that is the finished scan's
    c.options.stages.resize(1);
    auto& stage = c.options.stages.front();
    stage.iterations = std::min(stage.iterations, wish_.look_iterations);
    SLUICE_CHECK(choose_start(look));
    SLUICE_TRY(auto const grid, stem4d::ptychography_grid(look.patterns, c.options));
    look.facts = {.count = look.patterns.count(),
                  .size = look.patterns.size,
                  .pixel_nm = grid.pixel_nm,
                  .wavelength_nm = look.patterns.wavelength_nm};
    return look;
}

// It goes on from the look before, on the points that have come since.
Status LivePtychography::choose_start(Look& look) const {
    PtychographyCommand& c = look.command;
    if (before_) {
        std::vector<index> numbers;
        for (index const frame : frames_)
            if (auto const at = std::ranges::lower_bound(look.frames, frame);
                at != look.frames.end() && *at == frame)
                numbers.push_back(at - look.frames.begin());
        if (stem4d::grow_from(*before_, numbers, look.patterns, c.options)) {
            c.options.stages.front().probe_from = 0;
            return {};
        }
    }
    Ranks alone;
    std::vector<std::string> notes;
    return c.probe.choose(look.patterns, c.job.data, alone, c.options, notes);
}

Status LivePtychography::write(Scan const& part, index points, Look const& look) const {
    std::string const of = fmt::format("while it was measured: {} of {} points had come", points,
                                       live_.dataset().frames);
    Provenance const provenance = provenance_of(part, {of});
    PtychographyCommand const& c = look.command;
    JobReport report;
    report.json["series"] = 1;
    std::vector<ResultImage> images;
    auto result = look.result;
    SLUICE_CHECK(add_images(c, result, look.facts.pixel_nm, 0, report, images));
    SLUICE_TRY([[maybe_unused]] auto const files,
               save(images, "ptychography", provenance, c.job.output));
    if (!c.saves_result) return {};
    return save_result(c, result, look.facts, provenance, 0, report);
}

Status LivePtychography::finish(Scan const& whole, Device const& device, JobReport& report,
                                std::vector<ResultGroup>& groups) const {
    PtychographyCommand c = command(std::ssize(ptycho::measured_frames(whole)));
    c.stopped_before = interrupted();
    if (c.stopped_before)
        say(stderr, "sluice: what came is reconstructed; Ctrl-C again ends the program\n");
    stem4d::Options options{.device = device};
    if (!c.job.disk.empty()) {
        SLUICE_TRY(options.disk, stem4d::parse_disk(c.job.disk));
    }
    Ranks alone;
    JobReport its;
    its.json["series"] = 1;
    std::vector<ResultImage> images;
    Status done = reconstruct_scan(c, whole, options, alone, 0, its, images);
    Json& json = report.json["ptychography"];
    json = {{"looks", looks_}};
    if (!done) {
        json["error"] = done.error().text();
        return done;
    }
    json["reconstruction"] = its.json["reconstruction"][0];
    if (its.json.contains("disk")) json["disk"] = its.json["disk"][0];
    for (std::string const& note : its.notes) report.notes.push_back("ptychography: " + note);
    report.files.insert(report.files.end(), its.files.begin(), its.files.end());
    groups.push_back({"ptychography", std::move(images), true});
    return {};
}

std::string LivePtychography::left() const {
    std::string failed = "the scan is not reconstructed";
    if (looks_ == 0) return failed;
    return fmt::format("{}, and what {} holds of it is of the first {} points", failed,
                       job_.output.folder, looked_);
}

}  // namespace sluice::cli
