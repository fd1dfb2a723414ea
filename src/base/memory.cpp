// How much memory this machine has.
// SPDX-License-Identifier: Apache-2.0
#include "base/memory.h"

#include <unistd.h>

namespace sluice {

std::size_t memory_of_machine() {
    return static_cast<std::size_t>(::sysconf(_SC_PHYS_PAGES)) *
           static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace sluice
