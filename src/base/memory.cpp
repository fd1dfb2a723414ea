// Memory as the kernel tells it: of the machine, and of control groups.
// SPDX-License-Identifier: Apache-2.0
#include "base/memory.h"

#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <map>

#include "base/cgroup.h"

namespace sluice {
namespace {

/// /proc/meminfo in bytes.
std::map<std::string, std::uint64_t> machine_memory(std::string const& root) {
    std::map<std::string, std::uint64_t> out;
    std::ifstream file(root + "/proc/meminfo");
    std::string name, unit;
    std::uint64_t kilobytes = 0;
    while (file >> name >> kilobytes && std::getline(file, unit)) out[name] = kilobytes * 1024;
    return out;
}

std::uint64_t physical_memory() {
    return static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) *
           static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

std::uint64_t minus(std::uint64_t a, std::uint64_t b) {
    return a > b ? a - b : 0;
}

}  // namespace

MemoryNow memory_now(std::string const& root) {
    auto machine = machine_memory(root);
    MemoryNow now;
    now.total = machine["MemTotal:"] > 0 ? machine["MemTotal:"] : physical_memory();
    now.available = now.total;
    if (machine.contains("MemAvailable:"))
        now.available = machine["MemAvailable:"];
    else if (machine.contains("MemFree:"))  // before Linux 3.14
        now.available = machine["MemFree:"] + machine["Buffers:"] +
                        minus(machine["Cached:"], machine["Shmem:"]);
    for (GroupMemory const& group : limiting_groups(root)) {
        now.total = std::min(now.total, group.limit);
        now.available = std::min(now.available, minus(group.limit, group.used));
    }
    return now;
}

std::uint64_t memory_of_machine() {
    return memory_now().total;
}

std::uint64_t memory_available() {
    return memory_now().available;
}

std::uint64_t memory_resident() {
    std::ifstream file("/proc/self/statm");
    std::uint64_t all = 0, resident = 0;
    file >> all >> resident;
    return file ? resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) : 0;
}

void give_memory_back() {
    ::malloc_trim(0);
}

}  // namespace sluice
