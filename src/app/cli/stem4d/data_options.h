// The options of every command that reads data: which files, what of them, on which device.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/shell/bytes.h"
#include "app/cli/shell/verb.h"
#include "sluice/scan.h"

namespace sluice::cli {

struct DataOptions {
    std::vector<std::string> paths;
    std::string scan, dataset, axis_order, channel, raw_dtype, raw_frame;
    std::uint64_t raw_offset = 0;
    bool allow_incomplete = false, skip_bad = false;
    std::string scan_region, detector_region, det_bin = "1", bin_mode = "sum", bin_edge = "floor";
    index scan_bin = 1, scan_step = 1;
    bool no_pixel_mask = false, hot_pixels = false, stream = false;
    std::string mask, layout = "auto", memory, device = "cpu";
    int threads = 0;
    double detector_step_mrad = 0;

    /// Which files and how to open them.
    void add_opening(Verb const& app);
    /// What is read of them.
    void add_loading(Verb const& app);
    void add_device(Verb const& app);
    /// The angle of a detector pixel, instead of the file's.
    void add_detector_step(Verb const& app);

    Result<OpenOptions> open_options() const;
    Result<Series> open() const;
    /// For one of `members` scans of a series.
    Result<LoadOptions> load_options(index members) const;
    Result<Device> chosen_device() const;
};

/// "256x256" as (rows, columns).
Result<std::array<index, 2>> parse_shape(std::string const& text);

}  // namespace sluice::cli
