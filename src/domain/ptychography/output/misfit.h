// Misfit: a part of a result that does not fit the rest.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "sluice/ptychography.h"

namespace sluice::ptycho {

struct Misfit {
    std::string name;     ///< as files call the array
    std::string problem;  ///< as in "has no pixels"
};

/// The first misfit that is found; empty: all parts fit.
std::optional<Misfit> misfit_of(stem4d::PtychographyResult const& result);

}  // namespace sluice::ptycho
