// Runs stem4d commands over the members of a series.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/stem4d/job.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>

#include "app/cli/stem4d/coordinates.h"
#include "base/file.h"
#include "store/plan.h"

namespace sluice::cli {
namespace {

Result<stem4d::Disk> parse_disk(std::string const& text) {
    stem4d::Disk d;
    char rest = 0;
    if (std::sscanf(text.c_str(), "%lf:%lf:%lf%c", &d.center.row, &d.center.col, &d.radius,
                    &rest) != 3 ||
        !std::isfinite(d.center.row) || !std::isfinite(d.center.col) || !(d.radius > 0) ||
        !std::isfinite(d.radius))
        return Error{
            Code::invalid_argument,
            fmt::format("--disk '{}' is no disk; write ROW:COL:RADIUS, as in 96:95.5:20", text)};
    return d;
}

}  // namespace

void Stem4dJob::add(Verb const& app) {
    data.add_opening(app);
    data.add_loading(app);
    data.add_device(app);
    output.add(app);
    app.add_option("--disk", disk,
                   "the bright-field disk as ROW:COL:RADIUS in pixels of the full, unbinned "
                   "detector, instead of measuring it");
    trace.add(app);
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

Result<std::array<index, 2>> parse_point(std::string const& text, Scan const& scan) {
    store::Plan const& plan = scan.plan();
    std::array<index, 2> const full = scan.dataset().scan;
    long long row = -1, col = -1;
    char rest = 0;
    if (std::sscanf(text.c_str(), "%lld:%lld%c", &row, &col, &rest) != 2) row = -1;
    if (row < 0 || col < 0 || row >= full[0] || col >= full[1])
        return Error{Code::invalid_argument,
                     fmt::format("--at '{}' (no point of the {}x{} scan); write ROW:COL", text,
                                 full[0], full[1])};
    index const pitch = plan.scan_bin * plan.scan_step;
    index const down = row - plan.scan_region.row, across = col - plan.scan_region.col;
    std::array<index, 2> const at{down / pitch, across / pitch};
    if (down < 0 || across < 0 || at[0] >= plan.scan[0] || at[1] >= plan.scan[1])
        return Error{
            Code::invalid_argument,
            fmt::format("--at '{}' (it lies outside of what was read: rows {} to {}, "
                        "columns {} to {}); choose a point inside",
                        text, plan.scan_region.row, plan.scan_region.row + plan.scan[0] * pitch - 1,
                        plan.scan_region.col, plan.scan_region.col + plan.scan[1] * pitch - 1)};
    if (plan.scan_step > 1 && (down % pitch != 0 || across % pitch != 0))
        return Error{Code::invalid_argument,
                     fmt::format("--at '{}' (--scan-step {} left it out); the nearest point that "
                                 "was read is {}:{}",
                                 text, plan.scan_step, plan.scan_region.row + at[0] * pitch,
                                 plan.scan_region.col + at[1] * pitch)};
    return at;
}

Result<JobReport> for_each_scan(
    Stem4dJob& job,
    std::function<Status(Scan const&, stem4d::Options const&, index, JobReport&)> const& work) {
    double const start = now();
    // Before any work, so that an hour of reading does not end in a folder that cannot be written.
    SLUICE_CHECK(make_folder(job.output.folder));
    SLUICE_TRY(Series series, job.data.open());
    SLUICE_TRY(LoadOptions load, job.data.load_options(1));
    SLUICE_TRY(Device const device, job.data.chosen_device());
    // Measured once: what one member takes and gives back must not change the next one's binning.
    if (load.memory == 0) load.memory = store::memory_to_spare();
    SLUICE_TRY(Trace* const trace, job.trace.on(std::max(load.device.threads(), device.threads())));
    load.trace = trace;
    std::optional<stem4d::Disk> known_disk;
    if (!job.disk.empty()) {
        SLUICE_TRY(known_disk, parse_disk(job.disk));
    }
    JobReport report;
    // The members of a series are often guessed alike.
    std::set<std::string> warned;
    if (load.det_bin == 0) load.share = std::ssize(series.members);
    report.notes.insert(report.notes.end(), series.skipped.begin(), series.skipped.end());
    for (std::string& note : report.notes) note = "skipped: " + note;
    report.json["series"] = std::ssize(series.members);
    report.json["coordinates"] = coordinates;
    for (index m = 0; m < std::ssize(series.members); ++m) {
        ProgressBar progress(series.members.size() == 1
                                 ? "reading"
                                 : fmt::format("reading {} of {}", m + 1, series.members.size()));
        load.progress = progress.callback();
        double const before = now();
        SLUICE_TRY(Scan const scan,
                   Scan::load(std::move(series.members[static_cast<std::size_t>(m)]), load));
        load.det_bin = scan.plan().det_bin;
        load.share = 1;
        double const loaded = now();
        for (std::string const& text : scan.warnings())
            if (warned.insert(text).second) fmt::print(stderr, "sluice: warning: {}\n", text);
        stem4d::Options options;
        options.device = device;
        options.disk = known_disk;
        options.trace = trace;
        // "best" means the processor where the GPU cannot take the scan.
        if (job.data.device == "best" && !scan.resident()) options.device = load.device;
        options.progress = progress.callback();
        SLUICE_CHECK(work(scan, options, m, report));
        Json j = description_of(scan);
        j["load_seconds"] = loaded - before;
        j["compute_seconds"] = now() - loaded;
        report.json["members"].push_back(std::move(j));
        Provenance const provenance = provenance_of(scan, {});
        if (!report.provenance)
            report.provenance = provenance;
        else
            for (auto const& field : provenance.fields)
                if (field.first == "source" || field.first == "scan")
                    report.provenance->fields.push_back(field);
        if (interrupted()) return Error{Code::cancelled, "interrupted; nothing was written"};
    }
    report.json["seconds"] = now() - start;
    return report;
}

std::string figure_path(Stem4dJob const& job, std::string const& name, index member,
                        index members) {
    if (members == 1) return fmt::format("{}/{}.png", job.output.folder, name);
    return fmt::format("{}/{}_{:04}.png", job.output.folder, name, member + 1);
}

Status stack(Array<double>& onto, std::span<double const> image, std::array<index, 2> shape,
             index member) {
    if (member > 0 &&
        (onto.shape[onto.shape.size() - 2] != shape[0] || onto.shape.back() != shape[1]))
        return Error{
            Code::invalid_argument,
            fmt::format("member {} gives {}x{} (the ones before give {}x{}); treat it by itself",
                        member + 1, shape[0], shape[1], onto.shape[onto.shape.size() - 2],
                        onto.shape.back())};
    if (member == 0) onto.shape = {shape[0], shape[1]};
    if (member == 1) onto.shape.insert(onto.shape.begin(), 1);
    onto.values.insert(onto.values.end(), image.begin(), image.end());
    if (member > 0) onto.shape[0] = member + 1;
    return {};
}

Status finish(Stem4dJob const& job, std::string const& name, std::vector<ResultImage> const& images,
              JobReport& report) {
    std::ranges::sort(report.notes);
    report.notes.erase(std::unique(report.notes.begin(), report.notes.end()), report.notes.end());
    Provenance provenance = *report.provenance;
    provenance.fields.insert(provenance.fields.end(), report.fields.begin(), report.fields.end());
    for (std::string const& note : report.notes) provenance.add("note", note);
    SLUICE_TRY(auto files, save(images, name, provenance, job.output));
    for (auto& figure : report.figures) {
        for (std::string const& note : report.notes) figure.provenance.add("note", note);
        SLUICE_CHECK(save_png(figure.path, figure.picture, figure.provenance));
        files.push_back(figure.path);
    }
    SLUICE_CHECK(job.trace.save("unit", files));
    for (ResultImage const& image : images) {
        Json j = summary_of(image.values);
        j["unit"] = image.unit;
        report.json["images"][image.name] = std::move(j);
    }
    report.json["notes"] = report.notes;
    report.json["files"] = files;
    if (job.output.json) {
        fmt::print("{}\n", text_of(report.json));
        return {};
    }
    for (auto const& [image, j] : report.json["images"].items())
        if (j.contains("min"))
            fmt::print("{:<24} min {:<12.6g} max {:<12.6g} mean {:.6g} {}\n", image,
                       j["min"].get<double>(), j["max"].get<double>(), j["mean"].get<double>(),
                       j["unit"].get<std::string>());
        else
            fmt::print("{:<24} has no value: all {} are NaN\n", image,
                       j["not_finite"].get<index>());
    for (std::string const& note : report.notes) fmt::print("note: {}\n", note);
    fmt::print("{} files in {} ({:.2f} s)\n", files.size(), job.output.folder,
               report.json["seconds"].get<double>());
    return {};
}

}  // namespace sluice::cli
