// The options of every command that reads data: which files, what of them, on which device.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/shell/common_options.h"
#include "sluice/scan.h"

namespace sluice::cli {

struct DataOptions {
    std::vector<std::string> paths;
    SeriesOptions series;
    LoadOptions load;  ///< without what load_options() adds
    std::string mask;  ///< a file of pixels to leave out
    CommonOptions common;

    /// Which files, how to open them, and what is read of them. Where something else can name the
    /// files, they are not needed.
    void add(Verb const& app, bool needs_paths = true);
    /// The same without the files themselves and without series.
    void add_reading(Verb const& app);
    /// The angle of a detector pixel, instead of the file's.
    void add_detector_step(Verb const& app);
    /// The options that say how scans are opened and what is read of them.
    static std::vector<std::string> names_of_scans();
    /// The uses of --threads, --device and --memory-limit where scans are read.
    static CommonUse use();

    Result<OpenOptions> open_options() const;
    Result<Series> open() const;
    /// For one of `members` scans of a series.
    Result<LoadOptions> load_options(index members) const;
    /// Fails where --device is not a processor: of verbs that only load.
    Status expect_processor() const;
};

}  // namespace sluice::cli
