// RBE: how much more protons do than photons, by their LET, their dose and the tissue.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "sluice/result.h"
#include "sluice/structures.h"
#include "sluice/volume.h"

namespace sluice::proton {

/// Phenomenological models of the linear-quadratic kind; LET is dose-averaged.
enum class RbeModel : std::uint8_t {
    constant,   ///< 1.1, whatever dose, LET and tissue are
    mcnamara,   ///< McNamara et al. 2015, https://doi.org/10.1088/0031-9155/60/21/8399
    wedenberg,  ///< Wedenberg et al. 2013, https://doi.org/10.3109/0284186X.2012.705892
    carabe,     ///< Carabe et al. 2012, https://doi.org/10.1088/0031-9155/57/5/1159
};

/// The RBE where the dose of a fraction is near 0 (RBEmax), and where it is very high (RBEmin).
struct RbeLimits {
    double most = 1, least = 1;
};
/// LET in keV/um in water, alpha/beta of photons in Gy (above 0).
RbeLimits rbe_limits(RbeModel model, double let, double alpha_beta);
/// Of a dose of one fraction in Gy, at least 0.
double rbe(RbeModel model, double dose, double let, double alpha_beta);

struct RbeOptions {
    RbeModel model = RbeModel::mcnamara;
    double alpha_beta = 2;  ///< of photons, Gy
    int fractions = 1;      ///< equal ones whose sum the dose is
};

/// The dose of photons in Gy that does as much: RBE of each fraction's dose, times the dose.
/// `dose` is physical, in Gy; `let` is in keV/um on the same grid. The constant model needs none:
/// its image may be empty. `alpha_beta_map`, on the same grid, in Gy, replaces the number of the
/// options. LET is told where it is above 0 and no more than 100 keV/um. Where it is not, the RBE
/// is 1.1; this is an error where the dose is above a thousandth of the highest. Errors: grids
/// that differ, doses below 0 or not finite, a dose that is weighted already, bad options.
Result<Volume> rbe_dose(Volume const& dose, Volume const& let, RbeOptions const& options = {},
                        Volume const* alpha_beta_map = nullptr);

/// A tissue whose alpha/beta (Gy) is another than elsewhere.
struct Tissue {
    Structure const* structure = nullptr;
    double alpha_beta = 0;
};
/// alpha/beta on a dose's grid: that of the last tissue that has at least half of an element, or
/// else `elsewhere`. Errors: those of structure_parts(), numbers that are not above 0, a tissue
/// that has no element.
Result<Volume> alpha_beta_map(Volume const& dose, double elsewhere,
                              std::vector<Tissue> const& tissues);

/// Whether elements of two volumes lie at the same places: one shape, and to a hundredth of the
/// spacing the same spacing and origin, where both tell them. `what` names b, as in "the LET".
Status same_grid(Volume const& a, Volume const& b, std::string const& what);

}  // namespace sluice::proton
