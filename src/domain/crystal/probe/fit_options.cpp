// Checks the options of a template's fit.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "domain/crystal/probe/fit_template.h"

namespace sluice::crystal {

Status check(stem4d::TemplateOptions const& options) {
    constexpr int most = 16;
    if (options.harmonics < 0 || options.harmonics > most)
        return Error{Code::invalid_argument,
                     fmt::format("harmonics is {} (it counts waves along the edge) give 0 to {}",
                                 options.harmonics, most)};
    if (options.profile && options.harmonics > 0)
        return Error{Code::invalid_argument,
                     "a radial profile has no harmonics (it is round) ask for one of both"};
    return {};
}

}  // namespace sluice::crystal
