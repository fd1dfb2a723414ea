// Finds and loads the plug-in libsluice_mpi.so.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ranks/mpi/calls.h"
#include "sluice/result.h"

namespace sluice {

/// Beside the program, in the library folder it was installed with, or where the system looks.
Result<MpiCalls const*> load_mpi();

}  // namespace sluice
