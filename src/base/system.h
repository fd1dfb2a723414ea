// Calls that only Linux has and several places need; docs/design/025 lists the others.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace sluice {

/// Asks for pages of 2 MiB behind some addresses: a fault and a walk through tables for each
/// instead of one per 4 kB. A wish: without large pages all is slower and as right.
void use_large_pages(void* begin, std::size_t bytes);

/// Takes room on the disk for bytes `from` to `to` of a file. 0, or the system's error number.
int reserve_room(std::string const& path, std::uint64_t from, std::uint64_t to);

/// A pipe whose ends no other child inherits. 0, or the system's error number.
int make_pipe(std::array<int, 2>& ends);

/// This process is killed as soon as the thread that forked it ends.
void end_with_parent();

/// Bytes of addresses that this process has taken, used or not; 0 where nobody knows.
std::uint64_t addresses_taken();

}  // namespace sluice
