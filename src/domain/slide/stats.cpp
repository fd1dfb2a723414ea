// What several reads did together.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/slide.h"

namespace sluice::slide {

Stats& Stats::operator+=(Stats const& o) {
    tiles_hit += o.tiles_hit;
    tiles_hidden += o.tiles_hidden;
    tiles_decoded += o.tiles_decoded;
    tiles_bad += o.tiles_bad;
    bytes_read += o.bytes_read;
    pixels_decoded += o.pixels_decoded;
    pixels_returned += o.pixels_returned;
    pixels_region += o.pixels_region;
    pixels_background += o.pixels_background;
    tiles_rounded += o.tiles_rounded;
    return *this;
}

}  // namespace sluice::slide
