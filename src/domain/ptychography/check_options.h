// Whether options make sense together.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/ptychography.h"

namespace sluice::ptycho {

/// The error names the wrong option and a remedy.
Status check_options(stem4d::Patterns const& patterns, stem4d::PtychographyOptions const& options);

}  // namespace sluice::ptycho
