// JPEG XR files (ITU-T T.832), decoded here and not by a library.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/dtype.h"
#include "sluice/result.h"

namespace sluice::codec {

/// What a JPEG XR file holds, read from its container and image header alone.
struct JxrInfo {
    index width = 0;           ///< pixels
    index height = 0;          ///< pixels
    int samples = 0;           ///< of a pixel: 1 (gray), 3 (colour) or 4 (colour and alpha)
    DType sample = DType::u8;  ///< u8, u16, f16 or f32
    bool bgr = false;          ///< whether the file's own order of samples is B, G, R (, A)
    bool alpha = false;        ///< whether the fourth sample is there
};

/// Reads the headers; Code::unsupported names a pixel format that cannot be decoded.
Result<JxrInfo> jxr_inspect(Bytes file);

struct JxrOptions {
    /// 1, or 4 or 16: the image at a fraction of its size out of its low-pass or DC coefficients,
    /// ceil(width / reduction) x ceil(height / reduction). Not averages of pixels, but close.
    int reduction = 1;
    /// Whether colours are written as R, G, B (, A) or as B, G, R (, A), whatever the file's order.
    bool rgb = true;
};

/// Decodes to height x width x samples, rows tight, samples in the machine's byte order; `out` must
/// have exactly that size. May be called from several threads at once.
Status jxr_decode(Bytes file, JxrOptions const& options, std::span<std::byte> out);

}  // namespace sluice::codec
