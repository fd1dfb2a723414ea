// Whether options make sense together.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/ptychography.h"

namespace sluice::ptycho {

/// Fails with what is wrong, and what to do.
Status check_options(stem4d::Patterns const& patterns, stem4d::PtychographyOptions const& options);

}  // namespace sluice::ptycho
