// Misfit: what in a result does not fit to the rest of it.
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

/// The first that is found; nothing: all fits.
std::optional<Misfit> misfit_of(stem4d::PtychographyResult const& result);

}  // namespace sluice::ptycho
