// `sluice stem4d orientation`: which crystal lies how under each pattern, out of its Bragg disks.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/cli/stem4d/calibration_words.h"
#include "app/cli/stem4d/command.h"
#include "app/cli/stem4d/coordinates.h"
#include "app/cli/stem4d/job.h"
#include "app/cli/stem4d/orientation_pictures.h"
#include "app/cli/stem4d/orientation_words.h"
#include "app/cli/stem4d/vectors_input.h"
#include "base/file.h"
#include "base/plural.h"
#include "domain/orientation/library/fields.h"
#include "domain/orientation/library/load_phases.h"
#include "domain/orientation/match/fields.h"
#include "sluice/match_orientations.h"
#include "sluice/orientation_file.h"
#include "sluice/orientation_grains.h"

namespace sluice::cli {
namespace {

struct OrientationCommand {
    Stem4dJob job;
    VectorsInput input;
    stem4d::LibraryOptions library;
    stem4d::MatchOptions match;
    stem4d::OrientationGrainOptions grains;
    OrientationPictures pictures;
    std::vector<std::string> crystals;
    std::string calibration, source;
    double step_nm = 0;  // 0: the scan's
};

// Without a calibration the crystal itself is the measure, if there is only one.
Result<stem4d::Calibration> calibration_of(OrientationCommand const& c,
                                           stem4d::BraggVectors const& vectors,
                                           std::vector<stem4d::UnitCell> const& cells,
                                           stem4d::Options const& options, JobReport& report) {
    if (!c.calibration.empty()) return stem4d::load_calibration(c.calibration);
    if (cells.size() > 1)
        return Error{Code::invalid_argument,
                     "no --calibration is given (with several crystals the scan does not tell "
                     "which of them is the measure) make one with `sluice stem4d calibrate DISKS "
                     "--crystal CIF --out FILE`"};
    SLUICE_TRY(stem4d::Calibrated made,
               stem4d::calibrate(vectors, {.cell = cells.front()}, options));
    report.notes.push_back("the calibration is measured on this scan by the crystal itself: " +
                           text_of_calibration(made.calibration));
    report.notes.insert(report.notes.end(), made.calibration.notes.begin(),
                        made.calibration.notes.end());
    return std::move(made.calibration);
}

Json json_of(stem4d::OrientationGrains const& grains, stem4d::OrientationMap const& map) {
    Json list = Json::array();
    for (stem4d::OrientationGrain const& g : grains.grains)
        list.push_back({{"phase", map.phases[static_cast<std::size_t>(g.phase)].name},
                        {"euler_degrees", stem4d::euler_of(g.mean)},
                        {"patterns", g.patterns},
                        {"spread_degrees", g.spread_degrees},
                        {"diameter_nm", g.diameter_nm > 0 ? Json(g.diameter_nm) : Json()},
                        {"row", g.row},
                        {"col", g.col}});
    return list;
}

// Files of other kinds than maps: what other programs read, and the pictures.
Status save_files(OrientationCommand const& c, stem4d::OrientationMap const& map,
                  JobReport& report) {
    std::string const stem = c.job.output.folder + "/orientation";
    for (char const* ending : {".h5", ".ang", ".ctf"}) {
        report.files.push_back(stem + ending);
        SLUICE_CHECK(stem4d::save_orientations(report.files.back(), map));
    }
    return c.pictures.save(stem, c.job.output.pictures(), map, report.files);
}

Status run(OrientationCommand& c) {
    double const start = now();
    SLUICE_CHECK(c.job.data.expect_processor());
    SLUICE_CHECK(c.pictures.read());
    SLUICE_CHECK(make_folder(c.job.output.folder));
    c.source = c.job.data.paths.front();
    JobReport report;
    SLUICE_TRY(auto const phases, orient::load_phases(c.crystals));
    auto const& cells = phases.cells;
    report.notes = phases.notes;
    stem4d::Options options;
    SLUICE_TRY(options.device, c.job.data.common.chosen_device());
    std::optional<ProgressBar> bar(std::in_place, "library");
    options.progress = bar->callback();
    SLUICE_TRY(auto const library, stem4d::OrientationLibrary::build(cells, c.library, options));
    bar.reset();
    options.progress = {};
    SLUICE_TRY(DisksRead const disks,
               c.input.read(c.job.data, {}, "an orientation map is of one scan", report));
    SLUICE_TRY(stem4d::Calibration const calibration,
               calibration_of(c, disks.vectors, cells, options, report));
    bar.emplace("orientations");
    options.progress = bar->callback();
    SLUICE_TRY(stem4d::OrientationMap map,
               stem4d::orientation(disks.vectors, calibration, library, c.match, options));
    bar.reset();
    map.step_nm = c.step_nm > 0 ? c.step_nm : disks.scan_step_nm;
    if (map.step_nm == 0)
        report.notes.emplace_back(
            "the scan's step is not known: ANG and CTF count 1 µm a pattern, and grains have no "
            "size; give --scan-step-nm");
    std::vector<std::string> inputs{c.source};
    inputs.insert(inputs.end(), c.crystals.begin(), c.crystals.end());
    if (!c.calibration.empty()) inputs.push_back(c.calibration);
    report.provenance = provenance_of(inputs);
    report.provenance->add("calibration", text_of_calibration(calibration));
    map.provenance = *report.provenance;
    SLUICE_TRY(auto const grains, stem4d::find_grains(map, c.grains));
    SLUICE_TRY(auto const grain_maps, stem4d::grain_maps(map, grains));
    for (std::vector<std::string> const* notes :
         {&library.notes(), &std::as_const(map.notes), &grains.notes})
        report.notes.insert(report.notes.end(), notes->begin(), notes->end());
    report.json.update(json_of_orientations(map));
    report.json["source"] = c.source;
    report.json["zones"] = library.zones();
    report.json["library_bytes"] = library.bytes();
    report.json["library_seconds"] = library.build_seconds();
    report.json["grains"] = json_of(grains, map);
    report.json["seconds"] = now() - start;
    report.lines = lines_of_orientations(map);
    report.lines.push_back(plural(std::ssize(grains.grains), "grain"));
    SLUICE_CHECK(tell_boundaries(map, c.grains.threshold_degrees, report.lines, report.json));
    SLUICE_CHECK(save_files(c, map, report));
    std::vector<ResultImage> images;
    auto const add = [&](ScanMap one) {
        figure::Style style = style_of(map.step_nm, false, c.job.output);
        style.unit = one.unit;
        images.push_back({.map = std::move(one), .style = std::move(style)});
    };
    for (ScanMap& one : maps_of(map)) add(std::move(one));
    add(grain_maps.grain);
    add(grain_maps.from_mean);
    Stem4dJob numbers = c.job;
    return finish(numbers, "orientation_maps", images, report);
}

}  // namespace

void add_orientation(Verb const& parent, int& exit_code) {
    Verb const app = parent.add_subcommand(
        "orientation", "which crystal lies how under each pattern, and how sure that is");
    auto const c = std::make_shared<OrientationCommand>();
    c->job.data.add(app);
    c->job.output.add(app);
    app->add_option("--crystal", c->crystals, "CIF of a crystal; repeat it for several phases")
        ->required()
        ->one_each();
    app->add_fields(stem4d::library_fields(), c->library);
    app->add_option("--calibration", c->calibration,
                    "file of `calibrate`; without one, of one crystal, it is measured on the scan");
    app->add_fields(stem4d::match_fields(), c->match);
    app->add_option("--grain-angle", c->grains.threshold_degrees,
                    "degrees below which neighbours are of one grain")
        ->capture_default_str();
    c->pictures.add(app);
    app->add_option("--scan-step-nm", c->step_nm,
                    "between scan positions; without it that of the scan's file, if it says one")
        ->check(positive());
    c->input.add(app);
    c->job.data.common.add(app, DataOptions::use());
    app->footer(
        "A pattern is indexed only where the match is likely to be right; else the maps say why "
        "it\n"
        "is not, and pictures leave it black. orientation.h5 holds all, orientation.ang and .ctf "
        "are\n"
        "for MTEX, orix and others. Patterns are kinematic: thickness is not modelled.\n"
        "\n"
        "Examples:\n"
        "  sluice stem4d orientation disks.h5 --crystal Au.cif --energy 200 --out orientation\n"
        "  sluice stem4d orientation scan_master.h5 --crystal fcc.cif --crystal bcc.cif --energy "
        "200 "
        "--calibration scan.json --out orientation\n"
        "  sluice stem4d orientation disks.h5 --crystal Au.cif --energy 300 --precession-mrad 17 "
        "--out o --json");
    app->callback([c, app, &exit_code] {
        c->input.given = app->given();
        if (auto s = run(*c); !s) exit_code = report(s.error());
    });
}

}  // namespace sluice::cli
