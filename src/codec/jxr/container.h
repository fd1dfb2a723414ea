// The TIFF-like container around a JPEG XR image.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/jxr/header.h"
#include "codec/jxr/jxr.h"

namespace sluice::codec::jxr {

struct Container {
    JxrInfo info;
    Depth depth = Depth::bit8;
    Bytes image;  ///< from where the image begins to the end of the file
    Bytes alpha;  ///< of the separate image that holds alpha; empty if there is none
};

/// Reads the tags; width and height come from the image itself.
Result<Container> read_container(Bytes file);

}  // namespace sluice::codec::jxr
