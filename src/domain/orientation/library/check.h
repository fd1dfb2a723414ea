// What a library refuses before anything is computed.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/orientation_library.h"

namespace sluice::orient {

Status check_library(std::span<stem4d::UnitCell const> phases,
                     stem4d::LibraryOptions const& options);

/// The name of its cell, or "phase 2".
std::string phase_name(std::span<stem4d::UnitCell const> phases, index phase);

}  // namespace sluice::orient
