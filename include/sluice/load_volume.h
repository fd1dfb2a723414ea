// load_volume: images in space out of MetaImage, NRRD and NPY files.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/result.h"
#include "sluice/volume.h"

namespace sluice {

/// MetaImage (.mhd, .mha), NRRD (.nrrd, .nhdr) and NPY, of two or three axes; integers and floats
/// of any byte order, raw or packed by zlib or gzip, as float. At most 2^30 elements.
Result<Volume> load_volume(std::string const& path);

}  // namespace sluice
