// How much memory this process can have, in a container, too.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace sluice {

/// In bytes.
struct MemoryNow {
    std::uint64_t total = 0;      ///< of the machine, or what control groups leave of it
    std::uint64_t available = 0;  ///< can still be taken without swapping and without being killed
};

/// Of the machine, and of all control groups (version 1 and 2) that this process is in: what the
/// smallest leaves. Their page cache counts as free. `root` is put before /proc and /sys.
MemoryNow memory_now(std::string const& root = {});

/// Bytes of it, used or not; in a container those of its limit.
std::uint64_t memory_of_machine();

/// Bytes that this process can still take without swapping and without being killed.
std::uint64_t memory_available();

/// Bytes of memory that this process has now; 0 where the system does not report them.
std::uint64_t memory_resident();

/// Gives memory that was freed, and that the allocator keeps, back to the system.
void give_memory_back();

}  // namespace sluice
