// A tile that lies alone, far from all others: one damaged bit in its coordinates does that.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/slide/model.h"

namespace sluice::slide {

/// Notes for each tile without which the finest level would be less than half as wide or as high,
/// and which is far from the rest. Its coordinate may be damaged, or the slide really has such a
/// part.
void note_far_tiles(Model& model);

}  // namespace sluice::slide
