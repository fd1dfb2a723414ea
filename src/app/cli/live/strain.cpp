// Strain of what has come, and of the finished scan.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/live/strain.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/cli/live/record_report.h"
#include "app/cli/stem4d/strain_figure.h"
#include "app/cli/stem4d/strain_input.h"
#include "domain/crystal/fields.h"
#include "domain/crystal/strain/fields.h"
#include "figure/render.h"

namespace sluice::cli {
namespace {

// --gain is that of --dark, so that the one of disks has another name.
config::Field<stem4d::DiskOptions> live_field(config::Field<stem4d::DiskOptions> const& field) {
    return field.name == "gain" ? field.called("--disk-gain") : field;
}

std::vector<std::string> names_of_strain() {
    std::vector<std::string> names = TemplateSource::names();
    names.insert(names.end(), {"--basis", "--reference", "--search-all"});
    StrainWish const usual;
    for (auto const& f : stem4d::disk_fields())
        names.push_back(option_of(live_field(f), usual.search.disks).name);
    for (auto const& f : stem4d::strain_fields())
        names.push_back(option_of(f, usual.words.strain).name);
    for (auto const& f : stem4d::lattice_fields())
        names.push_back(option_of(f, usual.words.lattice).name);
    return names;
}

}  // namespace

struct LiveStrain::Measured {
    DisksMade made;
    DisksRead disks;
    stem4d::StrainMaps strain;
    std::vector<std::string> notes = {};
};

void StrainWish::add(Verb const& app) {
    app.add_flag("--strain", wanted,
                 "also lattices and strain, as `sluice stem4d strain`: of what has come, again and "
                 "again, and of the finished scan. All frames stay in memory");
    words.add(app,
              "of --strain: what it is measured from: the median of the scan, of a region "
              "ROW:ROW,COL:COL of it, or an NPY file: reference.npy of another run, or points of "
              "the scan that are not 0");
    search.source.add(app);
    for (auto const& field : stem4d::disk_fields()) app.add_field(live_field(field), search.disks);
    words.add_search_all(app);
}

Status StrainWish::check(Stem4dJob const& job,
                         std::optional<std::array<index, 2>> const& scan) const {
    std::vector<std::string> const names = names_of_strain();
    for (Verb::Given const& one : given)
        if (!wanted && std::ranges::find(names, one.option) != names.end())
            return Error{Code::invalid_argument,
                         fmt::format("{} has no effect (it is about strain) ask for that with "
                                     "--strain",
                                     one.option)};
    if (!wanted) return {};
    if (!job.references.dark.empty() || !job.references.gain.empty())
        return Error{Code::invalid_argument,
                     "--strain takes frames as they are read (disks are found by the noise of "
                     "counts) leave --dark and --gain out"};
    if (words.reference == "theory")
        return Error{Code::invalid_argument,
                     "--reference theory needs a calibration, which a stream has not; give an NPY "
                     "file, or measure the recording with `sluice stem4d strain --calibration`"};
    // What is wrong on the command line is told before a scan is lost.
    SLUICE_CHECK(search.source.check(job.data));
    if (words.basis) SLUICE_CHECK(parse_basis(*words.basis, {1, 1}));
    stem4d::StrainOptions read;
    if (scan) SLUICE_CHECK(read_reference(words.reference, *scan, read));
    return {};
}

LiveStrain::LiveStrain(StrainWish const& wish, Stem4dJob const& job, stem4d::LiveScan& live)
    : wish_(wish), job_(job), live_(live) {}

// What the first points tell is learnt anew when there are twice as many. What cannot be measured
// yet is tried again then.
void LiveStrain::look(Scan const& part, index points, stem4d::Options const& run) {
    if (points >= plan_again_) {
        DiskSearch search = wish_.search;
        search.source.save.clear();
        auto made = search.plan(part, job_.data, wish_.words.known(), run);
        if (!made && made.error().code == Code::cancelled) return;
        plan_again_ = 2 * points;
        plan_.reset();
        if (made) plan_ = *std::move(made);
    }
    if (!plan_) return;
    auto const found = measure(part, *plan_, run);
    if (!found) return;
    if (Status const written = write(part, points, *found); written)
        ++looks_;
    else if (!std::exchange(told_, true))
        warn_at_once("strain of what has come cannot be written: " + written.error().text());
}

Result<LiveStrain::Measured> LiveStrain::measure(Scan const& scan, DisksMade made,
                                                 stem4d::Options const& run) const {
    Measured found{.made = std::move(made), .disks = {}, .strain = {}};
    SLUICE_CHECK(DiskSearch::find(scan, wish_.words.known(), run, found.made));
    found.disks = {found.made.vectors, found.made.fit, {}, scan.scan_step_nm()};
    if (found.made.setup.lattice) found.disks.basis = found.made.setup.lattice->basis;
    SLUICE_CHECK(fit_lattices(wish_.words, run, found.disks, found.notes));
    stem4d::StrainOptions options = wish_.words.strain;
    SLUICE_CHECK(read_reference(wish_.words.reference, found.disks.vectors.scan_shape, options));
    SLUICE_TRY(found.strain, stem4d::strain(*found.disks.fit, options, run));
    add_strain_notes(*found.disks.fit, found.strain, true, found.notes);
    return found;
}

Status LiveStrain::write(Scan const& part, index points, Measured const& found) const {
    std::string const of = fmt::format("while it was measured: {} of {} points had come", points,
                                       live_.dataset().frames);
    Provenance const provenance = provenance_of(part, {of});
    SLUICE_TRY(
        [[maybe_unused]] auto const files,
        save(strain_images(found.strain, *found.disks.fit), "strain", provenance, job_.output));
    figure::Drawing const drawing = draw_strain(found.strain, {}, job_.output, of);
    for (std::string const& ending : job_.output.pictures())
        SLUICE_CHECK(
            figure::save_drawing(job_.output.folder + "/strain" + ending, drawing, provenance));
    return {};
}

Status LiveStrain::finish(Scan const& whole, Device const& device, JobReport& report,
                          std::vector<ResultGroup>& groups) const {
    stem4d::Options const run{.device = device};
    auto const measured = [&]() -> Result<Measured> {
        SLUICE_TRY(DisksMade made, wish_.search.plan(whole, job_.data, wish_.words.known(), run));
        return measure(whole, std::move(made), run);
    }();
    if (!measured) {
        report.json["strain"] = {{"error", measured.error().text()}, {"looks", looks_}};
        return measured.error();
    }
    Measured const& found = *measured;
    stem4d::DiskSetup const& setup = found.made.setup;
    for (auto const& notes : {found.made.probe.notes, setup.why, found.notes})
        report.notes.insert(report.notes.end(), notes.begin(), notes.end());
    for (std::string const& line : lines_of_reasons(found.made.counts))
        report.notes.push_back("no disks in " + line);
    Json json = strain_json(wish_.words, found.disks.vectors, *found.disks.fit);
    json["basis"] = basis_json(found.disks.basis);
    json["reference"] = basis_json(found.strain.reference);
    json["reasons"] = reasons_of(found.made.counts);
    json["template"] = {{"radius", setup.probe.radius},
                        {"edge_width", setup.probe.edge_width},
                        {"source", setup.probe.source}};
    json["looks"] = looks_;
    report.json["strain"] = std::move(json);
    if (!wish_.search.source.save.empty()) report.files.push_back(wish_.search.source.save);
    if (auto const endings = job_.output.pictures(); !endings.empty())
        report.figures.push_back(
            {job_.output.folder + "/strain", endings,
             draw_strain(found.strain, {}, job_.output, "series " + live_.series()),
             *report.provenance});
    report.writers.emplace_back(
        job_.output.folder + "/reference.npy",
        [reference = found.strain.reference, path = job_.output.folder + "/reference.npy"](
            auto const&) { return save_reference(reference, path); });
    groups.push_back({"strain", strain_images(found.strain, *found.disks.fit)});
    return {};
}

}  // namespace sluice::cli
