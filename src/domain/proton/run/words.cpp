// The notes on a run.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/proton_run.h"

namespace sluice::proton {

std::vector<std::string> assumptions(Config const& c) {
    bool const icru = c.water == WaterTable::icru90;
    std::string const nuclear =
        "nuclear reactions: local, secondary and neutral parts and the angle of secondary protons "
        "fitted to TOPAS, LET of these to SHIELD-HIT12A and FLUKA (84 to 150 MeV); ";
    std::vector<std::string> out = {
        icru ? "water: ICRU 90, I = 78 eV" : "water: NIST PSTAR, I = 75 eV",
        c.options.scattering
            ? "scattering: (15 MeV/pv)^2/X_S, in gases T_dM (Gottschalk 2010), Gaussian"
            : "no scattering",
        !c.options.straggling ? "no straggling"
        : c.dense             ? "straggling: Bohr"
                  : "straggling: Bohr's variance, and the third moment of its collisions",
        c.options.nuclear
            ? nuclear + (c.dense ? "protons" : "protons of elastic collisions (ICRU 63) and") +
                  " from hydrogen followed one by one"
            : "no nuclear reactions",
        c.options.out_of_plane ? "paths are lengthened by the angle out of the plane"
                               : "the angle out of the plane is left out",
        c.options.splitting == Splitting::strang ? "steps: Strang's splitting, second order in dz"
                                                 : "steps: first-order splitting, to compare with",
        "results are integrals over y: divide the dose by the thickness in y"};
    if (c.dense)
        out.emplace_back(
            "dense mode: shared between neighbouring cells by first order; the tail of elastic "
            "nuclear collisions is left out");
    out.insert(out.end(), c.assumed.begin(), c.assumed.end());
    return out;
}

std::vector<std::string> warnings(std::vector<Guard> const& guards) {
    std::vector<std::string> out;
    for (Guard const& g : guards)
        if (g.severity != Severity::note) out.push_back(sentence(g));
    return out;
}

}  // namespace sluice::proton
