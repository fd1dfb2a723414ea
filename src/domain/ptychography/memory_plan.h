// The memory that a reconstruction takes, before it takes it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/ptychography.h"

namespace sluice::ptycho {

/// The bytes planned; fails where there are fewer.
Result<std::uint64_t> affordable(stem4d::Patterns const& patterns,
                                 stem4d::PtychographyOptions const& options);

}  // namespace sluice::ptycho
