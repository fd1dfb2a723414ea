// Where the time of reading a slide goes, measured on this machine, and what to do about it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "sluice/measured.h"
#include "sluice/slide.h"

namespace sluice::slide {

/// One step of a read, summed over the workers.
struct StepTime {
    std::string name;  ///< "plan", "wait for the disk", "decode jpegxr", "idle" ...
    double seconds = 0;
    index tiles = 0;
    Spread tile_s;  ///< of one tile; zeros for steps that are not of a tile
};

/// The time of a tile, all steps together.
struct TileTime {
    std::int32_t tile = 0;
    double seconds = 0, wait_s = 0, decode_s = 0;
};

/// What the system counted while a read ran.
struct SystemCounts {
    double cpu_s = 0;  ///< computing of the whole process; 0: not counted
    std::uint64_t minor_faults = 0, major_faults = 0;  ///< pages: made or found, and read from disk
    std::uint64_t disk_bytes = 0;                      ///< that came from a disk
    double steal = 0;  ///< share of the processors' time that the host gave to other machines
};

/// One read of the region, the one in the middle of several. The steps add up to threads * wall_s.
struct ReadTimes {
    int threads = 1;
    bool cold = false;
    double wall_s = 0, cpu_s = 0;  ///< cpu_s: computing within the steps
    SystemCounts system;
    int repeats = 1;
    Spread all_wall_s;  ///< of the repeats
    std::vector<StepTime> steps;
    std::vector<TileTime> slowest;  ///< at most ten, slowest first
    Stats stats;
    std::vector<Span> spans;
    double seconds(std::string_view step) const;
    /// Of the whole process where the system counted it: its clock is coarse for short reads.
    double computed_s() const { return std::max(cpu_s, system.cpu_s); }
};

/// What opening the file took, step by step.
struct OpenTimes {
    double directory_s = 0;  ///< header and directory
    double model_s = 0;      ///< sorting the tiles into planes and levels
    double xml_read_s = 0, xml_parse_s = 0;
    std::uint64_t xml_bytes = 0;
    double seconds() const { return directory_s + model_s + xml_read_s + xml_parse_s; }
};

/// A disk that gave fewer showed how long it takes to begin, and not how fast it is.
inline constexpr double enough_bytes = 32e6;

/// The bytes of the tiles read one after the other in the order of the file, and not decoded.
struct DiskTimes {
    std::uint64_t bytes = 0;
    bool cold = false;  ///< whether the system's cache could be emptied of the file
    /// Pages of the file that the cache held after it was asked to forget them, 0 to 1.
    double cached = 1;
    double cold_s = 0, warm_s = 0;
};

/// How far a reader jumps in the file that takes the tiles in some order.
struct SeekStats {
    std::string order;                                 ///< "file", "directory", "drawing" or "rows"
    std::uint64_t total = 0, median = 0, largest = 0;  ///< bytes between two tiles
    index backwards = 0;
};

/// Tiles that are decoded when each tile of the region is read by its own rectangle.
struct Amplification {
    double per_tile = 1;   ///< every tile that meets the rectangle, per tile
    index most = 1;        ///< of one rectangle
    double of_region = 1;  ///< decoded here for the whole region, per tile
};

struct Profile {
    std::string path;
    std::uint64_t file_bytes = 0;
    index entries = 0, tiles_in_region = 0;
    int level = 0, levels = 1, processors = 1;
    Selection region;  ///< that was read: part of what was asked for where that has too many tiles
    Shape shape;
    std::vector<std::int32_t> tiles;  ///< of the region, in the order of the file
    OpenTimes open;
    DiskTimes disk;
    std::vector<ReadTimes> reads;  ///< from the cache of the system, one per number of threads
    std::optional<ReadTimes> cold_read;
    std::vector<SeekStats> seeks;
    Amplification amplification;
    std::vector<Finding> findings;
};

struct ProfileOptions {
    Selection region;
    int level = 0;
    index max_tiles = 100;          ///< of the middle of the region; 0: all, as memory allows
    std::vector<int> threads = {};  ///< none: 1, 2, 4, 8 as far as there are processors
    bool cold = true;               ///< also measure with the system's cache emptied of the file
    Access access = Access::read;
    SlideOpenOptions open = {};
    Progress progress = {};
};

Result<Profile> profile(std::string const& path, ProfileOptions const& options);

/// JSON in the Chrome trace event format, which Perfetto and chrome://tracing open: a process for
/// each read, a track for each worker.
std::string trace_events(Slide const& slide, Profile const& profile);

/// A picture of the region: its tiles coloured by their place in the file, and the path of reading
/// them in the order of the file and of the directory.
std::string order_svg(Slide const& slide, Profile const& profile);

}  // namespace sluice::slide
