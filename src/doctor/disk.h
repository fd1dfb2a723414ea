// How fast a disk is written, and read in order, anywhere and from the system's cache.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bench/stopwatch.h"
#include "sluice/doctor.h"
#include "sluice/view.h"

namespace sluice::doctor {

/// Bytes that are read, of a file on a disk or of a test.
struct Reader {
    std::uint64_t bytes = 0;
    std::function<Status(std::uint64_t at, std::span<std::byte> out)> read;
};

/// How long is measured at most, and by which clock.
struct DiskTime {
    double most_s = 1;
    bench::Clock const* clock = &bench::system_clock();
    Progress progress = {};  ///< is asked between reads; its numbers mean nothing
};

inline constexpr std::size_t in_order_bytes = std::size_t{4} << 20, anywhere_bytes = 4096;

/// Bytes a second, piece by piece from the beginning to the end, or until the time is over.
Result<MeasuredRate> read_in_order(Reader const& reader, DiskTime const& time);
/// Reads a second of 4 kB each, at places that nobody can guess, one after the other.
Result<MeasuredRate> read_anywhere(Reader const& reader, DiskTime const& time);

struct DiskRates {
    MeasuredRate write, in_order, cached, anywhere;
};

/// Of a file without a name in a folder: nothing is left of it, however the process ends. Rates
/// that the file system does not allow to be taken say why.
Result<DiskRates> measure_disk(std::string const& folder, std::uint64_t bytes,
                               DiskTime const& time);

/// Bytes that are free for us on the folder's disk; 0 where nobody says.
std::uint64_t free_bytes(std::string const& folder);

}  // namespace sluice::doctor
