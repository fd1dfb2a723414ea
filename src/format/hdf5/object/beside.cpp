// Looking for files beside others.
// SPDX-License-Identifier: Apache-2.0
#include "format/hdf5/object/beside.h"

#include <filesystem>

namespace sluice::hdf5::object {

namespace fs = std::filesystem;

std::string folder_of(std::string const& path) {
    std::string const folder = fs::path(path).parent_path().string();
    return folder.empty() ? "." : folder;
}

std::string find_beside(std::string const& folder, std::string const& name) {
    std::error_code e;
    // An absolute name replaces the folder.
    for (fs::path const& p :
         {fs::path(folder) / name, fs::path(folder) / fs::path(name).filename()})
        if (fs::is_regular_file(p, e)) return p.lexically_normal().string();
    return {};
}

}  // namespace sluice::hdf5::object
