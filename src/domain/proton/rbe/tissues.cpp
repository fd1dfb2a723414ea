// alpha/beta of structures, as a map on the grid of a dose.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sluice/proton_rbe.h"

namespace sluice::proton {
namespace {

Status check(double alpha_beta, std::string const& of) {
    if (alpha_beta > 0 && std::isfinite(alpha_beta)) return {};
    return Error{Code::invalid_argument,
                 fmt::format("alpha/beta of {} is {}; give Gy above 0", of, alpha_beta)};
}

}  // namespace

Result<Volume> alpha_beta_map(Volume const& dose, double elsewhere,
                              std::vector<Tissue> const& tissues) {
    SLUICE_CHECK(check(elsewhere, "what is in no structure"));
    Volume map{{dose.image.shape,
                std::vector<float>(dose.image.values.size(), static_cast<float>(elsewhere))},
               dose.spacing,
               dose.origin,
               dose.direction,
               "alpha/beta, Gy"};
    for (Tissue const& t : tissues) {
        std::string const name = "'" + t.structure->name + "'";
        SLUICE_CHECK(check(t.alpha_beta, name));
        SLUICE_TRY(StructureParts const in, structure_parts(*t.structure, dose));
        bool any = false;
        for (std::size_t i = 0; i < in.parts.values.size(); ++i) {
            if (in.parts.values[i] < 0.5f) continue;
            map.image.values[i] = static_cast<float>(t.alpha_beta);
            any = true;
        }
        if (!any)
            return Error{Code::invalid_argument,
                         fmt::format("{} has no half of an element of the dose (it lies outside, "
                                     "or is smaller) leave its alpha/beta out, or give a finer "
                                     "dose",
                                     name)};
    }
    return map;
}

}  // namespace sluice::proton
