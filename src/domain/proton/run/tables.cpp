// Results of proton beams as CSV tables.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/run/tables.h"

#include <fmt/format.h>

#include <span>

#include "base/file.h"
#include "domain/proton/physics/constants.h"
#include "sluice/proton_metrics.h"

namespace sluice::proton {

std::string curves_table(MarchResult const& r) {
    auto const curve = depth_dose(r);
    auto const sigma = lateral_sigma(r), core = core_sigma(r);
    double const unit = gray_mm2 / r.ledger.in.weight, protons = r.ledger.in.weight;
    std::string text = "depth_mm,dose_Gy_mm2,sigma_x_mm,core_sigma_x_mm";
    if (!r.sums.empty())
        text += ",LETt_keV_per_um,LETd_keV_per_um,LETd_all_protons_keV_per_um,energy_MeV,protons";
    text += "\n";
    for (std::size_t k = 0; k < curve.depth.size(); ++k) {
        text += fmt::format("{:.6g},{:.8g},{:.6g},{:.6g}", curve.depth[k], curve.dose[k] * unit,
                            sigma[k], core[k]);
        if (!r.sums.empty()) {
            PlaneSums const& s = r.sums[k];
            text += fmt::format(",{:.6g},{:.6g},{:.6g},{:.6g},{:.6g}", s.let_track, s.let_dose,
                                s.let_dose_all, s.energy, s.weight / protons);
        }
        text += "\n";
    }
    return text;
}

std::string ledger_table(MarchResult const& r) {
    std::string text =
        "depth_mm,flying_weight,flying_energy,stopped_weight,stopped_energy,nuclear_weight,"
        "nuclear_local_energy,nuclear_secondary_energy,nuclear_neutral_energy,"
        "nuclear_on_the_way_energy,left_weight,left_energy,right_weight,right_energy,end_weight,"
        "end_energy,angles_weight,angles_energy,truncated_weight,truncated_energy,residual_weight,"
        "residual_energy\n";
    for (std::size_t k = 0; k < r.steps.size(); ++k) {
        Ledger const& l = r.steps[k];
        text += fmt::format("{:.6g}", static_cast<double>(k + 1) * r.dz);
        auto const weight = [&](double w) { text += fmt::format(",{:.8g}", w / l.in.weight); };
        auto const energy = [&](double e) { text += fmt::format(",{:.8g}", e / l.in.energy); };
        auto const both = [&](Share const& s) { weight(s.weight), energy(s.energy); };
        both(l.inside);
        both(l.stopped);
        weight(l.nuclear.weight);
        for (double const e : {l.local, l.secondary, l.neutral, l.secondary_out}) energy(e);
        for (Share const& s : {l.left, l.right, l.end, l.angles, l.truncated, l.residual()})
            both(s);
        text += "\n";
    }
    return text;
}

std::string spectra_table(MarchResult const& r) {
    std::string text = "depth_mm,from_MeV,to_MeV,protons_per_MeV\n";
    for (Spectrum const& s : r.spectra)
        for (std::size_t i = 0; i < s.protons.size(); ++i)
            text += fmt::format("{:.6g},{:.6g},{:.6g},{:.6g}\n", s.depth, s.edges[i],
                                s.edges[i + 1], s.protons[i] / r.ledger.in.weight);
    return text;
}

}  // namespace sluice::proton
