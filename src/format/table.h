// The table of formats: adding one is a folder beside this file and a line in table.cpp.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

#include "format/fields.h"

namespace sluice {

/// A file format. `recognises` sees the path and the first 4096 bytes (fewer if the file is
/// shorter, none if `path` is not a file); the first format that says yes opens it.
struct Format {
    std::string_view name;
    std::string_view title;  ///< one line for `info --formats`
    bool (*recognises)(std::string_view path, Bytes head);
    Result<Dataset> (*open)(std::string const& path, OpenOptions const& options);
    /// Those of the options which only some formats have. sluice::open refuses the others.
    config::Fields<OpenOptions> fields = {};
    /// Whether options alone say that a file is of this format, whatever is in it; null: never.
    bool (*chosen)(OpenOptions const& options) = nullptr;
    /// Whether another file of its acquisition stands for this one in lists; null: never.
    bool (*is_part)(std::string const& path) = nullptr;
    /// Whether it is asked about folders, too.
    bool folders = false;
    /// How files end that are read while they are written; empty: none are.
    std::span<std::string_view const> while_written = {};
};

std::span<Format const> formats();
/// Whether a file of any format has another one of its acquisition that stands for it in lists.
bool is_part(std::string const& path);
/// The format that the options alone say; null if they say none.
Format const* chosen_format(OpenOptions const& options);

}  // namespace sluice
