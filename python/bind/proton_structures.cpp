// Histograms of structures, and doses weighted by RBE.
// SPDX-License-Identifier: Apache-2.0
#include "bind/proton.h"
#include "sluice/dicom.h"
#include "sluice/proton_rbe.h"
#include "sluice/proton_structure_dvh.h"

namespace sluice::python {
namespace {

// A name and closed contours, [corner, 3] each.
using NamedContours = std::tuple<std::string, std::vector<Dense<double, 2>>>;

Structure structure_of(NamedContours const& from) {
    auto const& [name, contours] = from;
    Structure s;
    s.name = name;
    for (auto const& c : contours) {
        if (c.shape(1) != 3 || c.shape(0) < 3)
            raise({Code::invalid_argument,
                   "a contour is an array [corner, 3] of mm, of three corners or more"});
        Contour corners;
        for (std::size_t i = 0; i < c.shape(0); ++i) corners.push_back({c(i, 0), c(i, 1), c(i, 2)});
        s.contours.push_back(std::move(corners));
    }
    return s;
}

nb::tuple structure_parts(NamedContours const& structure, Volume const& volume) {
    Structure const s = structure_of(structure);
    StructureParts p =
        work(nb::none(), [&](Telling&) { return sluice::structure_parts(s, volume); });
    return nb::make_tuple(to_numpy(std::move(p.parts)), p.volume_cm3, p.inside_cm3);
}

nb::dict structure_dvh(Volume const& dose, NamedContours const& structure, int samples) {
    Structure const s = structure_of(structure);
    proton::StructureDvh d = work(
        nb::none(), [&](Telling&) { return proton::structure_dvh(dose, s, {.samples = samples}); });
    nb::dict out;
    out["area"] = d.dvh.area;
    out["least"] = d.dvh.least;
    out["mean"] = d.dvh.mean;
    out["most"] = d.dvh.most;
    out["dose"] = to_numpy(std::move(d.dvh.dose));
    out["part"] = to_numpy(std::move(d.dvh.part));
    out["volume_cm3"] = d.volume_cm3;
    out["inside_cm3"] = d.inside_cm3;
    out["samples"] = d.samples;
    return out;
}

proton::RbeModel model_of(std::string const& model) {
    return unwrap(config::read_word<proton::RbeModel>("model", model));
}

Volume rbe_dose(Volume const& dose, Volume const* let, std::string const& model, double alpha_beta,
                int fractions, Volume const* map) {
    proton::RbeOptions const o{model_of(model), alpha_beta, fractions};
    Volume const none;
    return work(nb::none(),
                [&](Telling&) { return proton::rbe_dose(dose, let ? *let : none, o, map); });
}

nb::object rbe(std::string const& model, Dense<double, 1> const& dose, Dense<double, 1> const& let,
               Dense<double, 1> const& alpha_beta) {
    proton::RbeModel const m = model_of(model);
    if (let.size() != dose.size() || alpha_beta.size() != dose.size())
        raise({Code::invalid_argument, "doses, LET and alpha/beta are as many"});
    for (std::size_t i = 0; i < dose.size(); ++i)
        if (!(dose.data()[i] >= 0 && let.data()[i] >= 0 && alpha_beta.data()[i] > 0))
            raise({Code::invalid_argument,
                   "doses and LET are at least 0, and alpha/beta is above 0"});
    return each(dose.size(), [&](std::size_t i) {
        return proton::rbe(m, dose.data()[i], let.data()[i], alpha_beta.data()[i]);
    });
}

Volume alpha_beta_map(Volume const& dose, double elsewhere,
                      std::vector<std::tuple<NamedContours, double>> const& tissues) {
    std::vector<Structure> structures;
    structures.reserve(tissues.size());
    std::vector<proton::Tissue> all;
    for (auto const& [structure, alpha_beta] : tissues) {
        structures.push_back(structure_of(structure));
        all.push_back({&structures.back(), alpha_beta});
    }
    return work(nb::none(), [&](Telling&) { return proton::alpha_beta_map(dose, elsewhere, all); });
}

}  // namespace

void add_proton_structures(nb::module_& m) {
    m.def("structure_parts", structure_parts, "structure"_a, "volume"_a);
    m.def("proton_structure_dvh", structure_dvh, "dose"_a, "structure"_a, "samples"_a);
    m.def("proton_rbe_dose", rbe_dose, "dose"_a, "let"_a.none(), "model"_a, "alpha_beta"_a,
          "fractions"_a, "alpha_beta_map"_a.none());
    m.def("proton_rbe", rbe, "model"_a, "dose"_a.noconvert(), "let"_a.noconvert(),
          "alpha_beta"_a.noconvert());
    m.def("proton_alpha_beta_map", alpha_beta_map, "dose"_a, "elsewhere"_a, "tissues"_a);
    m.def("frame_of_reference", [](std::string const& path) {
        return work(nb::none(), [&](Telling&) { return frame_of_reference(path); });
    });
}

}  // namespace sluice::python
