// The limits from which on a machine is said to be unwell: the guide lists them
// (docs/guide/machine.md). SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sluice::doctor {

/// All cores over one core: work in registers shares nothing but heat and hyperthreads.
inline constexpr double least_scaling = 0.75;
/// Of the rounds' rates, quartile to quartile twice: quiet machines stay below a tenth.
inline constexpr double most_variation = 0.25;
/// The rate of one thread at the end, over that at the beginning.
inline constexpr double least_endurance = 0.85;
/// Of the time that a quota held the process back.
inline constexpr double much_held_back = 0.05;
/// A limit that leaves less of the machine's memory is worth saying.
inline constexpr double most_of_memory = 0.8;
/// Less of the limit is free: other programs hold the memory.
inline constexpr double least_available = 0.25;
/// Bytes a second read and written by all threads: half of one DDR4-2400 channel (19.2 GB/s).
inline constexpr double least_copying = 9.6e9;
/// First touches of 4 kB a second: 2 microseconds each, four times what clearing a page takes.
inline constexpr double least_faults = 5e5;
/// Share of the memory that asked for large pages and got them.
inline constexpr double least_large_pages = 0.5;
/// Bytes a second in order. Hard disks give 100 to 250 MB/s, SATA SSDs 500, NVMe 2000 and more.
inline constexpr double least_in_order = 100e6;
/// Reads of 4 kB a second, one at a time. Hard disks give 100, SATA SSDs 5000 and more.
inline constexpr double least_anywhere = 1000;
/// Room that results need on a disk.
inline constexpr double least_free = 1e9;

}  // namespace sluice::doctor
