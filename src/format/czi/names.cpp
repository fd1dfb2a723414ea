// Names of compressions.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/czi.h"

namespace sluice::czi {

std::string_view name_of(Compression compression) {
    switch (compression) {
        case Compression::none:
            return "none";
        case Compression::jpeg:
            return "JPEG";
        case Compression::lzw:
            return "LZW";
        case Compression::jpeg_xr:
            return "JPEG XR";
        case Compression::zstd0:
            return "zstd0";
        case Compression::zstd1:
            return "zstd1";
    }
    return {};
}

}  // namespace sluice::czi
