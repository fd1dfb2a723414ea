// `sluice stem4d strain`: lattices and strain out of the Bragg disks of a scan.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/cli/stem4d/calibration_words.h"
#include "app/cli/stem4d/command.h"
#include "app/cli/stem4d/coordinates.h"
#include "app/cli/stem4d/job.h"
#include "app/cli/stem4d/strain_figure.h"
#include "app/cli/stem4d/strain_input.h"
#include "app/cli/stem4d/vectors_input.h"
#include "base/file.h"
#include "base/plural.h"
#include "domain/crystal/strain/fields.h"
#include "domain/crystal/strain/words.h"
#include "sluice/grains.h"

namespace sluice::cli {
namespace {

using stem4d::LatticeBasis;
using stem4d::LatticeFit;

struct StrainCommand {
    Stem4dJob job;
    VectorsInput input;
    DiskPreview preview;
    bool search_all = false, grains = false;
    std::string calibration;
    std::string source;
    std::optional<std::string> basis;
    std::string reference = "median";
    stem4d::LatticeOptions lattice;
    stem4d::StrainOptions strain;
};

// The numbers of the lattices as maps: where the origin wanders, and how well the lattice fits.
std::vector<ScanMap> lattice_maps(LatticeFit const& fit) {
    std::vector<ScanMap> maps;
    std::vector<index> const shape{fit.scan_shape[0], fit.scan_shape[1]};
    char const* const names[] = {"origin_row", "origin_col", "a_row", "a_col", "b_row", "b_col"};
    for (std::size_t i = 0; i < 6; ++i) {
        Array<double> values{shape, {}};
        std::vector<double> errors;
        for (std::size_t p = 0; p < fit.reason.size(); ++p) {
            values.values.push_back(fit.values.values[6 * p + i]);
            errors.push_back(std::sqrt(fit.covariance.values[36 * p + 7 * i]));
        }
        maps.push_back(make_map(names[i], "px", std::move(values), Missing::not_converged));
        maps.back().error = std::move(errors);
    }
    maps.push_back(
        make_map("lattice_chi2", "", Array<double>{shape, fit.chi2}, Missing::not_converged));
    return maps;
}

std::vector<ResultImage> images_of(stem4d::StrainMaps const& strain, LatticeFit const& fit) {
    std::vector<ResultImage> images;
    for (ScanMap const* map : strain.maps()) images.push_back({.map = *map});
    for (ScanMap& map : lattice_maps(fit)) images.push_back({.map = std::move(map)});
    return images;
}

// As `--reference` reads it.
Status save_reference(LatticeBasis const& l, std::string const& path) {
    return save_npy(
        path,
        Array<double>{{3, 2}, {l.origin.row, l.origin.col, l.a.row, l.a.col, l.b.row, l.b.col}});
}

Json json_of(StrainCommand const& c, stem4d::BraggVectors const& v, LatticeFit const& fit) {
    auto const fitted = std::ranges::count(fit.reason, stem4d::LatticeReason::fitted);
    return {{"source", c.source},
            {"scan", v.scan_shape},
            {"detector", v.detector_shape},
            {"disks", v.size()},
            {"fitted", fitted},
            {"sigma_sys", fit.sigma_sys},
            {"convention", config::word_of(c.strain.convention)},
            {"coordinates", coordinates}};
}

// One figure of all, instead of a picture of each map.
Status finish_strain(StrainCommand const& c, stem4d::StrainMaps const& strain,
                     std::optional<stem4d::GrainMaps> const& grains,
                     std::vector<ResultImage> const& images, JobReport& report) {
    std::vector<ScanMap const*> more;
    if (grains) more = {&grains->grain, &grains->disorientation};
    std::string const heading = c.source.substr(c.source.rfind('/') + 1);
    if (auto const endings = c.job.output.pictures(); !endings.empty())
        report.figures.push_back({c.job.output.folder + "/strain", endings,
                                  draw_strain(strain, more, c.job.output, heading),
                                  *report.provenance});
    Stem4dJob numbers = c.job;
    std::erase_if(numbers.output.formats, [](std::string const& format) {
        return format == "png" || format == "svg" || format == "pdf";
    });
    return finish(numbers, "strain", images, report);
}

DiskSearch::Lattice known_of(StrainCommand const& c) {
    return {.known = !c.search_all,
            .basis = c.search_all ? std::nullopt : c.basis,
            .options = c.lattice};
}

// The lattices of the disks, where they were not fitted with them.
Status fit_lattices(StrainCommand const& c, stem4d::Options options, DisksRead& disks,
                    JobReport& report) {
    if (disks.fit) return {};
    if (c.basis) {
        SLUICE_TRY(disks.basis, parse_basis(*c.basis, disks.vectors.detector_shape));
    } else {
        SLUICE_TRY(disks.basis, stem4d::find_basis(disks.vectors, &report.notes));
    }
    ProgressBar bar("lattices");
    options.progress = bar.callback();
    SLUICE_TRY(disks.fit, stem4d::fit_lattice(disks.vectors, disks.basis, c.lattice, options));
    return {};
}

// Lattices of all grains, and the strain of each from its own reference.
Result<stem4d::GrainMaps> fit_grains(StrainCommand const& c, stem4d::Options const& options,
                                     DisksRead& disks, JobReport& report) {
    if (c.reference != "median")
        return Error{Code::invalid_argument,
                     "--reference is for one crystal (with --grains each grain is measured from "
                     "the median of its own patterns) leave it out"};
    std::optional<LatticeBasis> first;
    if (c.basis) {
        SLUICE_TRY(first, parse_basis(*c.basis, disks.vectors.detector_shape));
    } else if (disks.fit) {
        first = disks.basis;
    }
    SLUICE_TRY(stem4d::GrainFit grains,
               stem4d::fit_grains(disks.vectors, first, {.lattice = c.lattice}, options));
    disks.basis = grains.grains.empty() ? LatticeBasis{} : grains.grains.front().basis;
    report.notes.insert(report.notes.end(), grains.notes.begin(), grains.notes.end());
    Json list = Json::array();
    for (stem4d::Grain const& grain : grains.grains)
        list.push_back({{"basis", basis_json(grain.basis)},
                        {"patterns", grain.patterns},
                        {"disorientation", grain.disorientation}});
    report.json["grains"] = std::move(list);
    auto made = stem4d::grain_strain(grains, c.strain);
    disks.fit = std::move(grains.fit);
    return made;
}

// Patterns of other grains have no strain, and are easily overlooked.
void tell_of_others(LatticeFit const& fit, std::vector<std::string>& notes) {
    auto const others = std::ranges::count(fit.reason, stem4d::LatticeReason::other_lattice) +
                        std::ranges::count(fit.reason, stem4d::LatticeReason::two_lattices);
    if (others > 0)
        notes.push_back(fmt::format(
            "{} lie on other lattices and have no strain: --grains measures each grain on its own",
            plural(others, "pattern")));
}

Status run(StrainCommand& c) {
    double const start = now();
    SLUICE_CHECK(c.job.data.expect_processor());
    SLUICE_CHECK(make_folder(c.job.output.folder));
    c.source = c.job.data.paths.front();
    if (c.preview.wanted() && !is_vectors(c.job.data))
        return c.input.search.preview(c.preview, c.job.output.folder + "/disks", c.job.data,
                                      known_of(c));
    JobReport report;
    SLUICE_TRY(DisksRead disks,
               c.input.read(c.job.data, known_of(c), "strain is of one scan", report));
    std::optional<stem4d::Calibration> calibration;
    if (!c.calibration.empty()) {
        SLUICE_TRY(calibration,
                   calibrate_strain(c.calibration, disks.vectors, c.strain, c.input.given, report));
        // Lattices are those of calibrated disks.
        disks.fit.reset();
    }
    bool const theory = c.reference == "theory";
    if (theory && !calibration) return no_theory();
    if (!theory) SLUICE_CHECK(read_reference(c.reference, disks.vectors.scan_shape, c.strain));
    stem4d::Options options;
    SLUICE_TRY(options.device, c.job.data.common.chosen_device());
    std::optional<stem4d::GrainMaps> grains;
    stem4d::StrainMaps strain;
    if (c.grains) {
        SLUICE_TRY(grains, fit_grains(c, options, disks, report));
        strain = grains->strain;
    } else {
        SLUICE_CHECK(fit_lattices(c, options, disks, report));
        if (theory) {
            SLUICE_TRY(c.strain.reference, stem4d::theory_of(*calibration, disks.basis));
        }
        SLUICE_TRY(strain, stem4d::strain(*disks.fit, c.strain, options));
        tell_of_others(*disks.fit, report.notes);
    }
    LatticeFit const& fit = *disks.fit;
    report.notes.insert(report.notes.end(), fit.notes.begin(), fit.notes.end());
    report.notes.insert(report.notes.end(), strain.notes.begin(), strain.notes.end());
    report.json.update(json_of(c, disks.vectors, fit));
    report.json["basis"] = basis_json(disks.basis);
    report.json["reference"] = basis_json(strain.reference);
    report.json["seconds"] = now() - start;
    report.provenance =
        provenance_of(calibration ? std::vector{c.source, c.calibration} : std::vector{c.source});
    if (calibration) report.provenance->add("calibration", text_of_calibration(*calibration));
    report.provenance->add("coordinates", std::string(coordinates));
    report.files.push_back(c.job.output.folder + "/reference.npy");
    SLUICE_CHECK(save_reference(strain.reference, report.files.back()));
    std::vector<ResultImage> images = images_of(strain, fit);
    if (grains)
        for (ScanMap const& map : {grains->grain, grains->disorientation})
            images.push_back({.map = map});
    return finish_strain(c, strain, grains, images, report);
}

}  // namespace

void add_strain(Verb const& parent, int& exit_code) {
    Verb const app =
        parent.add_subcommand("strain", "lattices and strain of a scan, or of its Bragg disks");
    auto const c = std::make_shared<StrainCommand>();
    c->job.data.add(app);
    c->job.output.add(app);
    app->add_option("--basis", c->basis,
                    "vectors of the lattice, A_ROW:A_COL,B_ROW:B_COL in pixels [found]");
    app->add_option("--reference", c->reference,
                    "what strain is measured from: the median of the scan, of a region "
                    "ROW:ROW,COL:COL of it, theory (the crystal of --calibration), or an NPY file: "
                    "reference.npy of another run, or points of the scan that are not 0")
        ->capture_default_str();
    app->add_fields(stem4d::strain_fields(), c->strain);
    app->add_fields(stem4d::lattice_fields(), c->lattice);
    app->add_option(
        "--calibration", c->calibration,
        "file of `calibrate`: descan and distortion are removed first, and its rotation "
        "is used where none is given");
    c->input.add(app);
    app->add_flag("--search-all", c->search_all,
                  "search every pattern for disks, even where a sample shows that all have one "
                  "lattice");
    app->add_flag("--grains", c->grains,
                  "measure the strain of each grain from the median of its own lattices, and map "
                  "the grains and by how much they are turned");
    c->preview.add(app);
    c->job.data.common.add(app, DataOptions::use());
    app->footer(
        "e_xx, e_yy, e_xy and omega (degrees) have an error at every point. The notes print the\n"
        "convention: x is the row axis (down), and the shear is the tensor's, half of the angle.\n"
        "\n"
        "Examples:\n"
        "  sluice stem4d strain scan_master.h5 --out strain\n"
        "  sluice stem4d strain scan_master.h5 --preview 12,40 --out strain\n"
        "  sluice stem4d strain disks.h5 --out strain\n"
        "  sluice stem4d strain disks.h5 --calibration al.json --reference theory --out strain\n"
        "  sluice stem4d strain disks.h5 --reference 0:20,0:64 --axis 30 --out strain\n"
        "  sluice stem4d strain disks.h5 --basis 24.9:-2.1,1.4:27.7 --convention py4dstem --out s");
    app->callback([c, app, &exit_code] {
        c->input.given = app->given();
        if (auto s = run(*c); !s) exit_code = report(s.error());
    });
}

}  // namespace sluice::cli
