// save_orientations: the format by the end of the path.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>

#include "domain/orientation/files/formats.h"

namespace sluice::stem4d {

Status save_orientations(std::string const& path, OrientationMap const& map) {
    SLUICE_CHECK(check_orientations(map));
    std::string const end = std::filesystem::path(path).extension();
    if (end == ".h5" || end == ".hdf5") return orient::save_hdf5_map(path, map);
    if (end == ".ang") return orient::save_ang(path, map);
    if (end == ".ctf") return orient::save_ctf(path, map);
    return Error{Code::invalid_argument,
                 fmt::format("cannot save orientations as '{}' (the end of the name says the "
                             "format) end it with .h5, .ang or .ctf",
                             end),
                 path};
}

}  // namespace sluice::stem4d
