// fit_ellipse: the distortion that rings of disks show, whatever their radii are.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "domain/crystal/calibrate/check.h"
#include "domain/crystal/calibrate/ring_fit.h"

namespace sluice::stem4d {

Result<EllipseFit> fit_ellipse(BraggVectors const& vectors, OriginFit const& origins,
                               FoundRings const& found, DistortionModel model) {
    auto const& rings = found.rings;
    SLUICE_CHECK(crystal::check_pair(vectors, origins));
    if (rings.empty())
        return Error{Code::invalid_argument,
                     "no ring is given (find_rings() found none) name one by its radii, or detect "
                     "more disks"};
    for (Ring const& r : rings)
        if (!(r.inner >= 0 && r.outer > r.inner) || !std::isfinite(r.outer))
            return Error{Code::invalid_argument,
                         fmt::format("a ring from {:g} to {:g} px holds nothing; give the smaller "
                                     "radius first",
                                     r.inner, r.outer)};
    auto const disks = crystal::disks_on(vectors, origins, found);
    SLUICE_TRY(auto const fit, crystal::fit_rings(disks, rings.size(), {}, model));
    EllipseFit out{.distortion = fit.distortion,
                   .used = fit.used,
                   .left_out = fit.left_out,
                   .sigma_sys = fit.sigma_sys};
    for (std::size_t k = 0; k < fit.logs.size(); ++k) {
        bool seen = false;
        for (std::size_t i = 0; i < disks.size(); ++i)
            seen |= disks[i].ring == k && fit.weights[i] > 0;
        out.radii.push_back(seen ? std::exp(fit.logs[k]) : NAN);
        if (!seen)
            out.notes.push_back(fmt::format(
                "the ring from {:.2f} to {:.2f} px is none: its disks lie on no ellipse like the "
                "others",
                rings[k].inner, rings[k].outer));
        out.radii_errors.push_back(out.radii.back() * std::sqrt(fit.log_variances[k]));
    }
    out.notes.push_back(fmt::format("the ellipse of {} rings is that of {} disks; {} take no part",
                                    rings.size(), out.used, out.left_out));
    return out;
}

}  // namespace sluice::stem4d
