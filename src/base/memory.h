// How much memory this machine has.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace sluice {

/// Bytes of it, used or not.
std::size_t memory_of_machine();

/// Bytes that the system can still give without swapping; those of the machine where it does not
/// say.
std::size_t memory_available();

}  // namespace sluice
