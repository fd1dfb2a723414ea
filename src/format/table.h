// The table of formats: adding one is a folder beside this file and a line in table.cpp.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

#include "sluice/dataset.h"

namespace sluice {

/// A file format. `recognises` sees the path and the first 4096 bytes (fewer if the file is
/// shorter, none if `path` is not a file); the first format that says yes opens it.
struct Format {
    std::string_view name;
    std::string_view title;  ///< one line for `info --formats`
    bool (*recognises)(std::string_view path, Bytes head);
    Result<Dataset> (*open)(std::string const& path, OpenOptions const& options);
    /// Of the options that not all formats have, those that `open` understands, as the command
    /// line calls them: "--channel --dataset". sluice::open refuses the others.
    std::string_view understands;
};

std::span<Format const> formats();

}  // namespace sluice
