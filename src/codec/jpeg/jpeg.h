// JPEG files from memory, by libjpeg-turbo: 8-bit gray or colour, baseline or progressive.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/result.h"
#include "sluice/view.h"

namespace sluice::codec {

/// What the header of a file says.
struct JpegInfo {
    index width = 0, height = 0;  ///< pixels
    int samples = 1;              ///< 1 gray, 3 colour
};

/// Reads the header; files that jpeg_decode() refuses by their kind are refused here already.
Result<JpegInfo> jpeg_inspect(Bytes file);

/// Decodes into [height][width][samples], colours in the order R, G, B. `out` must have that size;
/// data that libjpeg would pad or skip is an error.
Status jpeg_decode(Bytes file, std::span<std::byte> out);

}  // namespace sluice::codec
