// `sluice stem4d strain`: lattices and strain out of the Bragg disks of a scan.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "app/cli/stem4d/calibration_words.h"
#include "app/cli/stem4d/command.h"
#include "app/cli/stem4d/coordinates.h"
#include "app/cli/stem4d/job.h"
#include "app/cli/stem4d/strain_figure.h"
#include "app/cli/stem4d/strain_input.h"
#include "app/cli/stem4d/strain_result.h"
#include "base/file.h"
#include "sluice/grains.h"

namespace sluice::cli {
namespace {

using stem4d::LatticeBasis;
using stem4d::LatticeFit;

struct StrainCommand {
    Stem4dJob job;
    VectorsInput input;
    DiskPreview preview;
    StrainWords words;
    bool grains = false;
    std::string calibration;
    std::string source;
};

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
    return finish(c.job, "strain", images, report);
}

// Lattices of all grains, and the strain of each from its own reference.
Result<stem4d::GrainMaps> fit_grains(StrainCommand const& c, stem4d::Options const& options,
                                     DisksRead& disks, JobReport& report) {
    if (c.words.reference != "median")
        return Error{Code::invalid_argument,
                     "--reference is for one crystal (with --grains each grain is measured from "
                     "the median of its own patterns) leave it out"};
    std::optional<LatticeBasis> first;
    if (c.words.basis) {
        SLUICE_TRY(first, parse_basis(*c.words.basis, disks.vectors.detector_shape));
    } else if (disks.fit) {
        first = disks.basis;
    }
    SLUICE_TRY(stem4d::GrainFit grains,
               stem4d::fit_grains(disks.vectors, first, {.lattice = c.words.lattice}, options));
    disks.basis = grains.grains.empty() ? LatticeBasis{} : grains.grains.front().basis;
    report.notes.insert(report.notes.end(), grains.notes.begin(), grains.notes.end());
    Json list = Json::array();
    for (stem4d::Grain const& grain : grains.grains)
        list.push_back({{"basis", basis_json(grain.basis)},
                        {"patterns", grain.patterns},
                        {"disorientation", grain.disorientation}});
    report.json["grains"] = std::move(list);
    auto made = stem4d::grain_strain(grains, c.words.strain);
    disks.fit = std::move(grains.fit);
    return made;
}

Status run(StrainCommand& c) {
    double const start = now();
    SLUICE_CHECK(c.job.data.expect_processor());
    SLUICE_CHECK(make_folder(c.job.output.folder));
    c.source = c.job.data.paths.front();
    if (c.preview.wanted() && !is_vectors(c.job.data))
        return c.input.search.preview(c.preview, c.job.output.folder + "/disks", c.job.data,
                                      c.words.known());
    JobReport report;
    SLUICE_TRY(DisksRead disks,
               c.input.read(c.job.data, c.words.known(), "strain is of one scan", report));
    std::optional<stem4d::Calibration> calibration;
    if (!c.calibration.empty()) {
        SLUICE_TRY(calibration, calibrate_strain(c.calibration, disks.vectors, c.words.strain,
                                                 c.input.given, report));
        // Lattices are those of calibrated disks.
        disks.fit.reset();
    }
    bool const theory = c.words.reference == "theory";
    if (theory && !calibration) return no_theory();
    if (!theory)
        SLUICE_CHECK(read_reference(c.words.reference, disks.vectors.scan_shape, c.words.strain));
    stem4d::Options options;
    SLUICE_TRY(options.device, c.job.data.common.chosen_device());
    std::optional<stem4d::GrainMaps> grains;
    stem4d::StrainMaps strain;
    if (c.grains) {
        SLUICE_TRY(grains, fit_grains(c, options, disks, report));
        strain = grains->strain;
    } else {
        if (!disks.fit) {
            ProgressBar bar("lattices");
            stem4d::Options shown = options;
            shown.progress = bar.callback();
            SLUICE_CHECK(fit_lattices(c.words, shown, disks, report.notes));
        }
        if (theory) {
            SLUICE_TRY(c.words.strain.reference, stem4d::theory_of(*calibration, disks.basis));
        }
        SLUICE_TRY(strain, stem4d::strain(*disks.fit, c.words.strain, options));
    }
    LatticeFit const& fit = *disks.fit;
    add_strain_notes(fit, strain, !c.grains, report.notes);
    report.json["source"] = c.source;
    report.json.update(strain_json(c.words, disks.vectors, fit));
    report.json["basis"] = basis_json(disks.basis);
    report.json["reference"] = basis_json(strain.reference);
    report.json["seconds"] = now() - start;
    report.provenance =
        provenance_of(calibration ? std::vector{c.source, c.calibration} : std::vector{c.source});
    if (calibration) report.provenance->add("calibration", text_of_calibration(*calibration));
    report.provenance->add("coordinates", std::string(coordinates));
    report.files.push_back(c.job.output.folder + "/reference.npy");
    SLUICE_CHECK(save_reference(strain.reference, report.files.back()));
    std::vector<ResultImage> images = strain_images(strain, fit);
    if (grains)
        for (ScanMap const& map : {grains->grain, grains->disorientation})
            images.push_back({.map = map, .drawn = false});
    return finish_strain(c, strain, grains, images, report);
}

}  // namespace

void add_strain(Verb const& parent, int& exit_code) {
    Verb const app =
        parent.add_subcommand("strain", "lattices and strain of a scan, or of its Bragg disks");
    auto const c = std::make_shared<StrainCommand>();
    c->job.data.add(app);
    c->job.output.add(app);
    c->words.add(
        app,
        "what strain is measured from: the median of the scan, of a region ROW:ROW,COL:COL "
        "of it, theory (the crystal of --calibration), or an NPY file: reference.npy of "
        "another run, or points of the scan that are not 0");
    app->add_option(
        "--calibration", c->calibration,
        "file of `calibrate`: descan and distortion are removed first, and its rotation "
        "is used where none is given");
    c->input.add(app);
    c->words.add_search_all(app);
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
