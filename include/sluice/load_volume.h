// load_volume: images in space out of MetaImage, NRRD, NPY and DICOM files.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>

#include "sluice/result.h"
#include "sluice/volume.h"

namespace sluice {

/// MetaImage (.mhd, .mha), NRRD (.nrrd, .nhdr) and NPY, of two or three axes; integers and floats
/// of any byte order, raw or packed by zlib or gzip, as float. Of DICOM a series of CT images (its
/// folder, or one of its files) in HU, or an RT dose in Gy. Fails for more than 2^30
/// elements, and before it takes any memory where that exceeds `most_bytes` or what is free
/// (Code::out_of_memory). A file with fewer or more bytes than its header declares is refused.
Result<Volume> load_volume(std::string const& path,
                           std::uint64_t most_bytes = std::numeric_limits<std::uint64_t>::max());

}  // namespace sluice
