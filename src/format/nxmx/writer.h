// Writes acquisitions as DECTRIS detectors do: for simulations, tests and conversion.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string_view>

#include "sluice/dataset.h"
#include "sluice/progress.h"

namespace sluice::nxmx {

enum class Layout : std::uint8_t {
    legacy,  ///< the master links to <prefix>_data_NNNNNN.h5; what ARINA writes
    v2024,   ///< one virtual dataset [frame][channel][row][col]
};

enum class Compression : std::uint8_t { bslz4, bszstd, bitshuffle, lz4, gzip, none };

/// Ways in which real acquisitions are broken.
enum class Damage : std::uint8_t {
    none,
    missing_file,    ///< the last data file is not there
    truncated,       ///< the last data file ends early
    lz4_garbage,     ///< one frame's compressed bytes are nonsense
    zero_block,      ///< one frame claims blocks of 0 bytes
    wrong_total,     ///< one frame claims to be twice as long
    missing_frames,  ///< the last data file holds fewer frames than announced
    wrong_shape,     ///< the last data file has frames of half the rows
    wrong_dtype,     ///< the last data file has another number type
};

/// What is written, apart from the frames.
struct Acquisition {
    std::string prefix;  ///< "demo/si" makes demo/si_master.h5, demo/si_data_000001.h5, ...
    std::array<index, 2> scan{};  ///< (rows, columns)
    index rows = 0, cols = 0;     ///< of the detector
    DType dtype = DType::u16;     ///< u8, u16 or u32
    Layout layout = Layout::legacy;
    Compression compression = Compression::bslz4;
    index frames_per_file = 10000;
    std::vector<std::string> channels = {"threshold_1"};  ///< legacy files have one
    std::vector<std::uint32_t> pixel_mask = {};           ///< [row][col]; empty: no bad pixels
    std::uint64_t saturation = 0;                         ///< the largest valid count
    bool companion = true;  ///< also write <prefix>.h5 with the scan's shape and step
    double high_tension_v = 300000;
    double camera_length_m = 0.115;
    double scan_step_nm = 0.1;
    double dwell_s = 1e-4;
    double tilt_degrees = 0;
    std::string date = "2026-01-01T00:00:00.000+00:00";  ///< ISO 8601
    std::string description = "Simulated ARINA";
    Damage damage = Damage::none;
    int threads = 0;  ///< 0: all processors

    index frames() const { return scan[0] * scan[1]; }
    index frame_bytes() const { return rows * cols * size_of(dtype); }
};

/// Fills in the little-endian values of image frame * channels + channel. Called from several
/// threads at once, and not in order.
using MakeFrame = std::function<Status(index image, std::span<std::byte> values)>;

/// Writes all files under temporary names and renames them at the end, the master last: after an
/// error there are none. The bytes do not depend on the number of threads. Returns the files.
Result<std::vector<std::string>> write(Acquisition const& acquisition, MakeFrame const& make,
                                       Progress const& progress = {});

}  // namespace sluice::nxmx
