// What searches require of their options.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/ptychography.h"

namespace sluice::ptycho {

/// Fails where several ranks share the patterns, and where a checkpoint is wanted.
Status alone(stem4d::PtychographyOptions const& options);

/// Fails where options begin with what an earlier reconstruction found.
Status begins_anew(stem4d::PtychographyOptions const& options);

/// Fails where waves are computed on another grid than that of the patterns.
Status on_patterns_grid(stem4d::PtychographyOptions const& options);

}  // namespace sluice::ptycho
