// `sluice stem4d calibrate`: origins, distortion and pixel size out of the Bragg disks of a scan.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "app/cli/shell/terminal.h"
#include "app/cli/stem4d/calibrate_figure.h"
#include "app/cli/stem4d/calibration_words.h"
#include "app/cli/stem4d/command.h"
#include "app/cli/stem4d/coordinates.h"
#include "app/cli/stem4d/vectors_input.h"
#include "domain/crystal/calibrate/fields.h"
#include "domain/crystal/calibrate/words.h"
#include "domain/stem4d/parse_places.h"
#include "figure/render.h"
#include "sluice/optics.h"

namespace sluice::cli {
namespace {

struct CalibrateCommand {
    DataOptions data;
    VectorsInput input;
    stem4d::CalibrateOptions options;
    std::string out, picture, crystal, zone, origin, disk;
    std::vector<std::string> rings;
    std::optional<double> rotation;
    bool transpose = false, force = false;
};

Error unreadable(std::string const& option, std::string const& text, std::string const& how) {
    return {Code::invalid_argument,
            fmt::format("{} '{}' is not understood; write {}", option, text, how)};
}

// The texts of options that are no numbers.
Status read_texts(CalibrateCommand& c) {
    char rest = 0;
    if (!c.origin.empty()) {
        stem4d::Point p;
        if (std::sscanf(c.origin.c_str(), "%lf:%lf%c", &p.row, &p.col, &rest) != 2 ||
            !std::isfinite(p.row + p.col))
            return unreadable("--origin", c.origin, "ROW:COL in pixels, as in 127.5:130");
        c.options.origins.guess = p;
    }
    if (!c.zone.empty()) {
        stem4d::Indices z{};
        if (std::sscanf(c.zone.c_str(), "%d,%d,%d%c", &z[0], &z[1], &z[2], &rest) != 3 ||
            std::ranges::any_of(z, [](int i) { return i < -99 || i > 99; }))
            return unreadable("--zone", c.zone, "three whole numbers, as in 0,0,1");
        c.options.size.zone = z;
    }
    for (std::string const& text : c.rings) {
        stem4d::Ring r;
        if (std::sscanf(text.c_str(), "%lf:%lf%c", &r.inner, &r.outer, &rest) != 2)
            return unreadable("--ring", text, "INNER:OUTER in pixels, as in 45:52");
        c.options.rings.push_back(r);
    }
    if (!c.crystal.empty()) {
        SLUICE_TRY(c.options.cell, stem4d::load_cif(c.crystal));
    }
    return {};
}

Status check_out(CalibrateCommand const& c) {
    for (std::string const& file : {c.out, c.picture}) {
        std::error_code none;
        if (c.force || file.empty() || !std::filesystem::exists(file, none)) continue;
        return Error{Code::invalid_argument,
                     "is there already (it would be replaced) give another name, or --force", file};
    }
    for (char const* ending : {".png", ".svg", ".pdf"})
        if (c.picture.empty() || c.picture.ends_with(ending)) return {};
    return Error{Code::invalid_argument,
                 "is no picture by its name; let it end with .png, .svg or .pdf", c.picture};
}

// What the files of a scan state of a detector pixel, and of its turn.
Status take_stated(CalibrateCommand& c, JobReport& report) {
    SLUICE_TRY(Series const series, c.data.open());
    Dataset const& d = series.members.front();
    double per_angstrom = d.detector_step_per_nm / 10;
    if (!(per_angstrom > 0) && d.detector_step_mrad > 0 && d.energy_kv > 0)
        per_angstrom =
            d.detector_step_mrad * 1e-3 / optics::electron_wavelength_nm(d.energy_kv) / 10;
    if (per_angstrom > 0 && c.options.size.stated == 0) c.options.size.stated = per_angstrom;
    if (!d.detector_turn || c.rotation || c.transpose) return {};
    c.rotation = d.detector_turn->degrees, c.transpose = d.detector_turn->transpose;
    report.notes.push_back("the rotation is the file's, " + text_of(*d.detector_turn) +
                           "; --scan-rotation gives another one");
    return {};
}

// Centres of mass need the frames once more.
Status measure_by_mass(CalibrateCommand& c) {
    SLUICE_TRY(Series series, c.data.open());
    SLUICE_TRY(LoadOptions load, c.data.load_options(1));
    stem4d::Options run;
    SLUICE_TRY(run.device, c.data.common.chosen_device());
    if (!c.disk.empty()) {
        SLUICE_TRY(run.disk, stem4d::parse_disk(c.disk));
    }
    SLUICE_TRY(Scan const scan, Scan::load(std::move(series.members.front()), load));
    ProgressBar bar("origins",
                    scan.resident() ? ProgressBar::Counts::steps : ProgressBar::Counts::bytes);
    run.progress = bar.callback();
    SLUICE_TRY(c.options.measured, stem4d::measure_origins(scan, c.options.origins, run));
    return {};
}

Json json_of(stem4d::Calibrated const& made) {
    Json j = json_of_calibration(made.calibration);
    j["origins"]["method"] = config::word_of(made.origins.method);
    for (auto const reason : made.origins.reason) {
        Json& n = j["origins"]["reasons"][std::string(name_of(reason))];
        n = n.is_null() ? 1 : n.get<index>() + 1;
    }
    if (made.ellipse) j["radii"] = made.ellipse->radii;  // NaN becomes null
    if (!made.size) return j;
    stem4d::SizeFit const& s = *made.size;
    for (auto const& r : s.rings)
        j["rings"].push_back({{"name", r.name},
                              {"radius", r.radius},
                              {"frequency", r.frequency},
                              {"disks", r.disks},
                              {"off", r.off}});
    j["unmatched"] = s.unmatched;
    if (s.zone) j["zone"] = *s.zone, j["a"] = *s.a, j["b"] = *s.b;
    j["alternatives"] = Json::array();
    for (auto const& a : s.alternatives)
        j["alternatives"].push_back({{"name", a.name}, {"pixel_size", a.pixel_size}});
    return j;
}

void print_text(stem4d::Calibrated const& made, JobReport const& report, double seconds) {
    for (auto const& [name, value] : parts_of_calibration(made.calibration))
        print_line(name, value);
    if (made.size)
        for (auto const& r : made.size->rings)
            print_line(r.name, fmt::format("{:.3f} px, {:.5f} 1/\u00c5, {:+.3f} % off", r.radius,
                                           r.frequency, 100 * r.off));
    for (std::string const& note : report.notes) say("note: {}\n", note);
    for (std::string const& file : report.files) say("{}\n", file);
    say("{:.2f} s\n", seconds);
}

Status run(CalibrateCommand& c) {
    double const start = now();
    SLUICE_CHECK(c.data.expect_processor());
    SLUICE_CHECK(check_out(c));
    SLUICE_CHECK(read_texts(c));
    JobReport report;
    bool const mass = c.options.origins.method == stem4d::OriginMethod::mass;
    std::string const source = c.data.paths.front();
    if (is_vectors(c.data)) {
        SLUICE_CHECK(c.input.refuse_options_of_scans(source, {"--disk"}));
        if (mass)
            return Error{
                Code::invalid_argument,
                "--origin-method mass is for scans (this is a file of disks) give the scan",
                source};
    }
    SLUICE_TRY(DisksRead const read,
               c.input.read(c.data, {}, "a calibration is of one scan", report));
    stem4d::BraggVectors const& vectors = read.vectors;
    if (!is_vectors(c.data)) SLUICE_CHECK(take_stated(c, report));
    if (mass) SLUICE_CHECK(measure_by_mass(c));
    stem4d::Options options;
    SLUICE_TRY(options.device, c.data.common.chosen_device());
    std::optional<ProgressBar> bar(std::in_place, "lattices");
    options.progress = bar->callback();
    SLUICE_TRY(stem4d::Calibrated made, stem4d::calibrate(vectors, c.options, options));
    bar.reset();
    stem4d::Calibration& calibration = made.calibration;
    if (c.rotation || c.transpose)
        calibration.rotation =
            stem4d::Rotation{.degrees = c.rotation.value_or(0), .transpose = c.transpose};
    calibration.notes.insert(calibration.notes.begin(), report.notes.begin(), report.notes.end());
    report.notes = calibration.notes;
    calibration.provenance =
        provenance_of(c.crystal.empty() ? std::vector{source} : std::vector{source, c.crystal});
    calibration.provenance.add("coordinates", std::string(coordinates));
    SLUICE_CHECK(stem4d::save_calibration(c.out, calibration));
    report.files.push_back(c.out);
    if (!c.picture.empty()) {
        SLUICE_TRY(figure::Drawing const drawing,
                   draw_calibration(vectors, made, source.substr(source.rfind('/') + 1)));
        SLUICE_CHECK(figure::save_drawing(c.picture, drawing, calibration.provenance));
        report.files.push_back(c.picture);
    }
    if (!c.data.common.json) {
        print_text(made, report, now() - start);
        return {};
    }
    report.json.update(json_of(made));
    report.json["source"] = source;
    report.json["disks"] = vectors.size();
    report.json["notes"] = report.notes;
    report.json["files"] = report.files;
    report.json["seconds"] = now() - start;
    say("{}\n", text_of(report.json));
    return {};
}

}  // namespace

void add_calibrate(Verb const& parent, int& exit_code) {
    Verb const app = parent.add_subcommand(
        "calibrate", "origins, distortion and pixel size of a scan, or of its Bragg disks");
    auto const c = std::make_shared<CalibrateCommand>();
    c->data.add(app);
    app->add_option("--out", c->out, "file of the calibration (JSON)")->required();
    app->add_flag("--force", c->force, "replace files that are there");
    app->add_option("--figure", c->picture,
                    "picture of the origins and the rings: .png, .svg or .pdf");
    app->add_option("--crystal", c->crystal, "CIF of the crystal: pixel size and distortion by it");
    app->add_option("--spacings", c->options.spacings,
                    "of the crystal's planes in \u00e5ngstr\u00f6m, with commas, instead of a CIF")
        ->delimiter(',');
    app->add_option("--zone", c->zone, "axis along the beam, U,V,W [found]");
    app->add_option("--ring", c->rings,
                    "radii INNER:OUTER in pixels of a ring for the distortion, instead of finding "
                    "rings; where no crystal is known")
        ->one_each();
    app->add_option("--origin", c->origin, "about where the direct beam lies, ROW:COL [found]");
    app->add_option("--disk", c->disk,
                    "ROW:COL:RADIUS of the direct disk, for --origin-method mass [measured]");
    app->add_fields(stem4d::calibrate_fields(), c->options);
    app->add_fields(stem4d::origin_fields(), c->options.origins);
    app->add_fields(stem4d::origin_fit_fields(), c->options.surface);
    app->add_fields(stem4d::size_fields(), c->options.size);
    app->add_option("--scan-rotation", c->rotation,
                    "degrees by which vectors of the detector are turned onto the scan, as "
                    "`center-of-mass --rotation auto` finds it; it is kept for later steps");
    app->add_flag("--transpose", c->transpose,
                  "rows and columns of the detector are exchanged before that");
    c->input.add(app);
    c->data.common.add(app, DataOptions::use());
    app->footer(
        "The disks are not changed: the calibration is applied when they are used, as by `strain\n"
        "--calibration`. Every number has an error, and the notes say what was decided and what\n"
        "could be otherwise.\n"
        "\n"
        "Examples:\n"
        "  sluice stem4d calibrate disks.h5 --out scan.json --figure scan.png\n"
        "  sluice stem4d calibrate gold.h5 --crystal Au.cif --out gold.json\n"
        "  sluice stem4d calibrate al.h5 --crystal Al.cif --zone 0,0,1 --out al.json\n"
        "  sluice stem4d calibrate scan_master.h5 --origin-method mass --surface parabola "
        "--spacings 2.338,2.025,1.432 --out scan.json");
    app->callback([c, app, &exit_code] {
        c->input.given = app->given();
        if (auto s = run(*c); !s) exit_code = report(s.error());
    });
}

}  // namespace sluice::cli
