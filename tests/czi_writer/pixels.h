// What a pixel type consists of, and painters of tiles.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "czi_writer/czi_writer.h"

namespace sluice::test {

struct Kind {
    index samples = 1;       ///< 1, 3 or 4
    index sample_bytes = 1;  ///< of one sample
    index bytes() const { return samples * sample_bytes; }
};

Kind kind_of(slide::PixelType type);

/// Writes a number as a sample of the type; complex samples get `value - value i`.
void put_sample(std::byte* at, slide::PixelType type, double value);

/// Where a painter is asked for a sample.
struct Point {
    index x = 0, y = 0;  ///< pixels of the full resolution in the file's coordinates
    index sample = 0;    ///< 0 = R
    slide::PlaneIndex at = {};
};

/// A painter that asks for every sample. Integers are cut to their lowest bits.
Painter paint_by(std::function<double(Point const&)> value);

/// A painter of something like a stained section (colours) or fluorescence (gray), the same in
/// every tile but for a brightness that depends on M.
Painter texture(unsigned seed = 1);

}  // namespace sluice::test
