// Runs stem4d commands over the members of a series.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/stem4d/job.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>

#include "app/cli/shell/terminal.h"
#include "app/cli/stem4d/coordinates.h"
#include "base/file.h"
#include "base/pause.h"
#include "base/plural.h"
#include "base/run.h"
#include "domain/stem4d/parse_places.h"
#include "figure/render.h"

namespace sluice::cli {

void Stem4dJob::add(Verb const& app, bool needs_paths) {
    data.add(app, needs_paths);
    data.add_detector_step(app);
    output.add(app, needs_paths);
    app.add_option("--disk", disk,
                   "the bright-field disk as ROW:COL:RADIUS in pixels of the full, unbinned "
                   "detector, instead of measuring it");
    CommonUse use = DataOptions::use();
    use.trace = applies();
    data.common.add(app, use);
}

void Stem4dJob::add_single_pass(Verb const& app) {
    add(app);
    single_pass = true;
    app.add_flag("--write-tables", write_tables,
                 "first make the file of `sluice stem4d tables`, where none fits");
}

void JobReport::add(stem4d::Disk const& disk, index member) {
    Json j{{"row", disk.center.row}, {"col", disk.center.col}, {"radius", disk.radius}};
    j["quality"] = disk.quality ? Json(*disk.quality) : Json();
    json["disk"].push_back(std::move(j));
    bool const series = json["series"].get<index>() > 1;
    std::string const text = describe(disk);
    // A series has one for each member, and a screen is short: the report and the files have all.
    if (member == 0) notes.push_back(series ? "first member: " + text : text);
    if (series) fields.emplace_back("disk", fmt::format("member {}: {}", member + 1, text));
}

namespace {

// Whether something goes on is asked of a bar of each member's own.
Progress bar_of(std::optional<ProgressBar>& bar, index member, index all) {
    bar.reset();
    bar.emplace(all == 1 ? "reading" : fmt::format("reading {} of {}", member + 1, all));
    return bar->callback();
}

// What several parts of the work say of a scan is said once.
void leave_out_repeats(std::vector<std::string>& notes) {
    std::set<std::string> said;
    std::erase_if(notes, [&](std::string const& text) { return !said.insert(text).second; });
}

// The files name the first scan's provenance, and where the others come from.
void add_sources(std::optional<Provenance>& to, Provenance const& from) {
    if (!to) {
        to = from;
        return;
    }
    for (auto const& field : from.fields)
        if (field.first == "source" || field.first == "scan") to->fields.push_back(field);
}

JobReport begin_report(Series const& series) {
    JobReport report;
    for (std::string const& text : series.skipped) report.notes.push_back("skipped: " + text);
    report.json["series"] = std::ssize(series.members);
    report.json["coordinates"] = coordinates;
    return report;
}

// The error of a series that was stopped: it names the files that are there.
Error stopped(JobReport const& report) {
    if (report.files.empty()) return cancelled("nothing was written");
    return cancelled(fmt::format("of the scans that were done there {} {}",
                                 report.files.size() == 1 ? "is" : "are",
                                 fmt::join(report.files, ", ")));
}

}  // namespace

Result<JobReport> for_each_scan(
    Stem4dJob& job,
    std::function<Status(Scan const&, stem4d::Options const&, index, JobReport&)> const& work) {
    double const start = now();
    // Before any work, so that an hour of reading does not end in a folder that cannot be written.
    SLUICE_CHECK(make_folder(job.output.folder));
    SLUICE_TRY(Series series, job.data.open());
    stem4d::SeriesWork how;
    SLUICE_TRY(how.load, job.data.load_options(1));
    SLUICE_TRY(how.compute.references, read_references(job.references));
    SLUICE_TRY(how.compute.device, job.data.common.chosen_device());
    if (job.write_tables) {
        SLUICE_CHECK(job.data.expect_processor());
        if (how.compute.references.any())
            return Error{Code::invalid_argument,
                         "--write-tables makes sums of counts as they are stored, which --dark and "
                         "--gain change; leave out one of them"};
        if (series.members.size() > 1 && !how.load.tables_file.empty())
            return Error{Code::invalid_argument,
                         fmt::format("--tables-file names one file, and {} scans would write it; "
                                     "leave it out, and each has its file beside it",
                                     series.members.size())};
        how.write_tables = {.center = job.center, .out_option = "--tables-file"};
    }
    // Other devices take scans that are in memory.
    how.load.single_pass = job.single_pass && !how.compute.device.remote();
    int const threads = std::max(how.load.device.threads(), how.compute.device.threads());
    SLUICE_TRY(Trace* const trace, job.data.common.trace.on(threads));
    how.load.trace = how.compute.trace = trace;
    if (!job.disk.empty()) {
        SLUICE_TRY(how.compute.disk, stem4d::parse_disk(job.disk));
        if (how.write_tables && !how.write_tables->center)
            how.write_tables->center = how.compute.disk->center;
    }
    how.best_device = job.data.common.device == "best";
    std::optional<ProgressBar> bar;
    how.progress = [&](index member, index all) { return bar_of(bar, member, all); };
    how.warn = [&](std::string const& text) {
        if (job.warns) say(stderr, "sluice: warning: {}\n", text);
    };
    JobReport report = begin_report(series);
    SLUICE_CHECK(
        stem4d::for_each_scan(std::move(series), how, [&](stem4d::Member const& member) -> Status {
            double const before = now();
            if (member.tables) {
                stem4d::TablesMade const& made = *member.tables;
                if (!made.file.empty())
                    report.notes.push_back(fmt::format("the file of tables {} was made ({:.3g} MB)",
                                                       made.file,
                                                       static_cast<double>(made.bytes) / 1e6));
                report.notes.insert(report.notes.end(), made.notes.begin(), made.notes.end());
            }
            SLUICE_CHECK(work(member.scan, member.options, member.number, report));
            if (member.tables) leave_out_repeats(report.notes);
            // A scan in memory still has the notes on why no file fitted.
            if (job.warns && !(member.tables && member.scan.resident()))
                for (std::string const& note : member.scan.tables_notes())
                    say(stderr, "sluice: note: {}\n", note);
            if (how.compute.references.any())
                report.json["references"].push_back(to_json(member.scan, how.compute.references));
            Json j = description_of(member.scan);
            j["load_seconds"] = member.load_seconds;
            j["compute_seconds"] = now() - before;
            report.json["members"].push_back(std::move(j));
            add_sources(report.provenance, provenance_of(member.scan, {}));
            bar.reset();
            // What has been computed of all scans is written: that takes less than to do it again.
            bool const more = member.number + 1 < report.json["series"].get<index>();
            return interrupted() && more ? Status(stopped(report)) : Status{};
        }));
    report.json["seconds"] = now() - start;
    return report;
}

std::string figure_path(Stem4dJob const& job, std::string const& name, index member,
                        index members) {
    if (members == 1) return fmt::format("{}/{}", job.output.folder, name);
    return fmt::format("{}/{}_{:04}", job.output.folder, name, member + 1);
}

namespace {

void print_images(Json const& images) {
    for (auto const& [image, j] : images.items())
        if (j.contains("min"))
            say("{:<24} min {:<12.6g} max {:<12.6g} mean {:.6g} {}\n", image,
                j["min"].get<double>(), j["max"].get<double>(), j["mean"].get<double>(),
                j["unit"].get<std::string>());
        else
            say("{:<24} has no value: all {} are NaN\n", image, j["not_finite"].get<index>());
}

}  // namespace

Result<std::vector<std::string>> save_all(Stem4dJob const& job,
                                          std::vector<ResultGroup> const& groups,
                                          JobReport const& report) {
    Provenance provenance = *report.provenance;
    provenance.fields.insert(provenance.fields.end(), report.fields.begin(), report.fields.end());
    for (std::string const& note : report.notes) provenance.add("note", note);
    Step const step(job.data.common.trace.get(), Phase::write, 0);
    std::vector<std::string> files;
    for (ResultGroup const& group : groups) {
        OutputOptions output = job.output;
        if (group.has_own_file) std::erase(output.formats, "hdf5");
        SLUICE_TRY(auto const its, save(group.images, group.name, provenance, output));
        files.insert(files.end(), its.begin(), its.end());
    }
    for (auto const& [path, write] : report.writers) {
        files.push_back(path);
        SLUICE_CHECK(write(provenance));
    }
    files.insert(files.end(), report.files.begin(), report.files.end());
    for (auto const& figure : report.figures) {
        Provenance its = figure.provenance;
        for (std::string const& note : report.notes) its.add("note", note);
        for (std::string const& ending : figure.endings) {
            files.push_back(figure.path + ending);
            SLUICE_CHECK(figure::save_drawing(files.back(), figure.drawing, its));
        }
    }
    return files;
}

Status finish(Stem4dJob const& job, std::string const& name, std::vector<ResultImage> const& images,
              JobReport& report) {
    return finish(job, {ResultGroup{name, images}}, report);
}

Status finish(Stem4dJob const& job, std::vector<ResultGroup> const& groups, JobReport& report) {
    std::ranges::sort(report.notes);
    report.notes.erase(std::unique(report.notes.begin(), report.notes.end()), report.notes.end());
    pause_at("computed");
    if (interrupted())
        say(stderr, "sluice: interrupted when all was computed: the results are written\n");
    SLUICE_TRY(auto files, save_all(job, groups, report));
    SLUICE_CHECK(job.data.common.trace.save("unit", files));
    for (ResultGroup const& group : groups)
        for (ResultImage const& image : group.images) {
            Json j = summary_of(image.map);
            j["unit"] = image.map.unit;
            report.json["images"][image.map.name] = std::move(j);
        }
    report.json["notes"] = report.notes;
    report.json["files"] = files;
    if (job.data.common.json) {
        say("{}\n", text_of(report.json));
        return {};
    }
    print_images(report.json["images"]);
    for (std::string const& line : report.lines) say("{}\n", line);
    for (std::string const& note : report.notes) say("note: {}\n", note);
    say("{} in {} ({:.2f} s)\n", plural(files.size(), "file"), job.output.folder,
        report.json["seconds"].get<double>());
    return {};
}

}  // namespace sluice::cli
