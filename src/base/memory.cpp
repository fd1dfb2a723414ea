// How much memory this machine has.
// SPDX-License-Identifier: Apache-2.0
#include "base/memory.h"

#include <unistd.h>

#include <fstream>
#include <string>

namespace sluice {

std::size_t memory_of_machine() {
    return static_cast<std::size_t>(::sysconf(_SC_PHYS_PAGES)) *
           static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

std::size_t memory_available() {
    std::ifstream file("/proc/meminfo");
    std::string word, unit;
    std::size_t kilobytes = 0;
    while (file >> word >> kilobytes && std::getline(file, unit))
        if (word == "MemAvailable:") return kilobytes * 1024;
    return memory_of_machine();
}

}  // namespace sluice
