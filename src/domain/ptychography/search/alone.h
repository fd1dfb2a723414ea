// What searches ask of their options.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/ptychography.h"

namespace sluice::ptycho {

/// Fails where several ranks share the patterns.
Status alone(stem4d::PtychographyOptions const& options);

}  // namespace sluice::ptycho
