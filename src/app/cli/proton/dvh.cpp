// sluice proton dvh: what part of a structure has how much dose.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "app/cli/proton/command.h"
#include "app/cli/proton/dvh_report.h"
#include "app/cli/proton/structures.h"
#include "app/cli/shell/common_options.h"
#include "app/cli/shell/terminal.h"
#include "domain/proton/config/fields.h"
#include "format/npy/plane.h"

namespace sluice::cli {
namespace {

struct Command {
    std::string out, contours;
    std::vector<std::string> structures;
    proton::StructureDvhOptions options;
    DvhReport report;
    CommonOptions common;
    PictureOption pictures;
};

std::string name_of(std::string const& path) {
    std::string const file = path.substr(path.find_last_of('/') + 1);
    return file.substr(0, file.find_last_of('.'));
}

void scale(Array<float>& dose, double factor) {
    if (factor != 1)
        for (float& d : dose.values) d = static_cast<float>(static_cast<double>(d) * factor);
}

Status read_masks(Command const& c, DvhReport& r) {
    if (c.structures.empty())
        return Error{Code::invalid_argument,
                     "no structure was given; give --structures RS.dcm, or masks by --structure"};
    if (c.options.samples > 0)
        return Error{Code::invalid_argument,
                     "--samples applies to contours (a mask says what part of a pixel counts, not "
                     "which one) leave it out, or give --structures"};
    SLUICE_TRY(Array<float> dose, npy::load_plane(r.dose));
    scale(dose, r.factor);
    for (std::string const& path : c.structures) {
        SLUICE_TRY(Array<float> const structure, npy::load_plane(path));
        if (structure.shape != dose.shape)
            return Error{
                Code::invalid_argument,
                fmt::format("a structure of {}x{} pixels for a dose of {}x{}; give one of the "
                            "same shape",
                            structure.shape[0], structure.shape[1], dose.shape[0], dose.shape[1]),
                path};
        for (NamedDvh const& other : r.all)
            if (other.name == name_of(path))
                return Error{
                    Code::invalid_argument,
                    fmt::format("a second structure is called '{}' (files name them); give "
                                "one of them another name",
                                other.name),
                    path};
        auto d = proton::dvh(dose.values, structure.values);
        if (!d) return Error{d.error().code, d.error().message, path};
        r.all.push_back({name_of(path), {.dvh = std::move(*d)}});
    }
    return {};
}

// A thousandth outside is what the outermost half of a slice is of a large structure.
void warn_of_outside(NamedDvh const& s) {
    double const outside = s.of.volume_cm3 - s.of.inside_cm3;
    if (outside > 1e-3 * s.of.volume_cm3)
        say(stderr,
            "sluice: warning: {:.2g} % of '{}' ({:.4g} of {:.4g} cm3) lies outside of the dose; "
            "its histogram is of the rest\n",
            100 * outside / s.of.volume_cm3, s.name, outside, s.of.volume_cm3);
}

Status read_contours(Command const& c, DvhReport& r) {
    r.structures = c.contours;
    SLUICE_TRY(NamedStructures const set, read_named_structures(c.contours));
    SLUICE_TRY(auto some, chosen(set, c.structures));
    SLUICE_TRY(r.same_coordinates, check_coordinates(r.dose, set));
    if (!*r.same_coordinates)
        say(stderr,
            "sluice: warning: {} does not tell its coordinates (FrameOfReferenceUID); they are "
            "taken to be the same\n",
            set.frame_of_reference.empty() ? c.contours : r.dose);
    SLUICE_TRY(Volume dose, load_dose_volume(r.dose));
    scale(dose.image, r.factor);
    bool const all = c.structures.empty();
    if (all)
        for (NamedStructure const& s : set.all)
            if (!s.structure.contours.empty()) some.push_back(&s);
    ProgressBar progress("histograms", ProgressBar::Counts::steps);
    for (NamedStructure const* const s : some) {
        auto d = structure_dvh(dose, s->structure, c.options);
        if (!d && !(all && d.error().code != Code::out_of_memory))
            return Error{d.error().code, d.error().message,
                         d.error().message.starts_with("the dose") ? r.dose : c.contours};
        if (d)
            r.all.push_back({s->name, std::move(*d), true, s->structure.type});
        else
            r.left_out.emplace_back(s->name, d.error().message);
        progress(r.all.size() + r.left_out.size(), some.size());
    }
    progress.clear();
    for (NamedDvh const& s : r.all) warn_of_outside(s);
    for (auto const& [name, why] : r.left_out) say(stderr, "sluice: warning: left out: {}\n", why);
    if (r.all.empty())
        return Error{Code::not_found,
                     "has no structure that has contours in the dose; give the "
                     "structures of this dose",
                     c.contours};
    return {};
}

Status run(Command const& c) {
    DvhReport r = c.report;
    SLUICE_CHECK(c.contours.empty() ? read_masks(c, r) : read_contours(c, r));
    if (!c.out.empty()) SLUICE_CHECK(save_dvh(c.out, r, c.pictures));
    if (c.common.json)
        say("{}\n", text_of(to_json(r)));
    else
        print(r);
    return {};
}

}  // namespace

void add_proton_dvh(Verb const& parent, int& exit_code) {
    Verb const app = parent.add_subcommand("dvh", "dose volume histograms of structures");
    auto const c = std::make_shared<Command>();
    app->add_option("dose", c->report.dose,
                    "a map of doses (.npy); with --structures an RT dose, .nrrd, .mha or .mhd")
        ->required();
    app->add_option("--structures", c->contours,
                    "contours: an RT structure set of DICOM, in the coordinates of the dose");
    app->add_option("--structure", c->structures,
                    "with --structures names of it, separated by commas (unless given: all); else "
                    "pixels of a structure (.npy of the dose's shape), 0 to 1: the part of the "
                    "pixel that is in it; may be given several times");
    app->add_fields(proton::structure_dvh_fields(), c->options);
    app->add_option("--factor", c->report.factor,
                    "what doses are multiplied with: of `proton run`, protons by the thickness in "
                    "y in mm")
        ->check(positive())
        ->capture_default_str();
    app->add_option("--unit", c->report.unit, "of the scaled doses, for names")
        ->capture_default_str();
    app->add_option("--at", c->report.at, "doses whose V is told, as in V20")
        ->delimiter(',')
        ->check(not_negative())
        ->capture_default_str();
    app->add_option("--out", c->out, "a folder for dvh.csv, dvh.json and the picture");
    c->pictures.add(*app);
    c->common.add(*app, {.json = applies()});
    app->footer(
        "D95 is the dose that 95 % of the structure has at least, V20 the part that has 20 or "
        "more. Contours reach half way to those of the neighbouring planes; what lies outside of "
        "the dose is told, and does not count.\n\n"
        "Examples:\n"
        "  sluice proton dvh RD.dcm --structures RS.dcm --out dvh\n"
        "  sluice proton dvh dose.nrrd --structures RS.dcm --structure PTV,Cord --at 20,47.5\n"
        "  sluice proton dvh dose/dose.npy --structure target.npy --structure cord.npy --factor "
        "5e9\n"
        "  sluice proton dvh dose/dose.npy --structure target.npy --factor 5e9 --at 20,47.5 --out "
        "dvh");
    app->callback([c, &exit_code] {
        if (auto s = run(*c); !s) exit_code = report(s.error());
    });
}

}  // namespace sluice::cli
