// The instruction sets kernels are compiled for, and which of them this processor has.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "sluice/device.h"
#include "sluice/result.h"

namespace sluice {

std::string_view name_of(Isa isa);

/// Compiled into this build, whether this processor has them or not.
std::span<Isa const> compiled_isas();

/// Whether this processor and the operating system can run it.
bool runs_here(Isa isa);

/// The best that runs here, or what the environment variable SLUICE_ISA names.
Isa chosen_isa();

/// Whether SLUICE_ISA names a set that cannot run here; the program says so once.
Status check_isa_wish();

}  // namespace sluice
