// Makes and removes folders.
// SPDX-License-Identifier: Apache-2.0
#include "planning/folder.h"

#include <stdlib.h>

#include <filesystem>

namespace sluice::planning {

Folder::~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

Result<std::shared_ptr<Folder>> Folder::make(std::string const& in) {
    std::error_code none;
    std::string const where = in.empty() ? std::filesystem::temp_directory_path(none).string() : in;
    std::string path = where + "/sluice-plan-XXXXXX";
    if (!::mkdtemp(path.data()))
        return Error{Code::io, "no sample can be written here; choose another folder", where};
    return std::make_shared<Folder>(path);
}

}  // namespace sluice::planning
