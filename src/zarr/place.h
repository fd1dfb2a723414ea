// Where the files of arrays are: in folders, or in a zip file that a path goes through like a
// folder ("scan.zip/data/c/0/0"). All functions may be called from many threads.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sluice/source.h"

namespace sluice::zarr {

/// Whether there is a file or a folder; what cannot be looked for is an error.
Result<bool> look_for(std::string const& path);
/// The same, and what cannot be looked for is not there.
bool is_there(std::string const& path);

/// The bytes of a file. Members of a zip that are not packed are read where they are.
Result<std::shared_ptr<Source const>> open_file(std::string const& path);

/// Changes when the file does, as far as its time and its size tell.
std::string stamp_of(std::string const& path);

struct Below {
    std::string name;  ///< below the folder
    bool folder = false;
    std::uint64_t bytes = 0;  ///< of a file
};
/// What a folder holds, sorted by name.
Result<std::vector<Below>> list_folder(std::string const& path);
/// All files below a folder.
Result<std::vector<Below>> list_files(std::string const& path);

}  // namespace sluice::zarr
