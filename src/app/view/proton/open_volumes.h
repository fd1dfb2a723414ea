// Opens the volumes at paths: files, and folders that `sluice proton run` wrote.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/view/proton/shown_volume.h"

namespace sluice::app {

/// Whether a path is a folder with the report of `sluice proton run`.
bool is_proton_result(std::string const& path);
/// Whether a path is such a folder, or by its ending a MetaImage or NRRD file.
bool is_volume(std::string const& path);
/// Whether a path is by its ending an NPY file: a scan, or a volume beside others.
bool is_npy_file(std::string const& path);

/// Loads them, with no more memory than `most_bytes` in all; 0: as much as can be spared. What
/// cannot be opened or shown leaves a line in `notes`.
std::vector<ShownVolume> open_volumes(std::vector<std::string> const& paths,
                                      std::uint64_t most_bytes, std::vector<std::string>& notes);

}  // namespace sluice::app
