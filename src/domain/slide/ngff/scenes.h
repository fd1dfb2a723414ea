// Which scenes, planes and channels of a slide become which images.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/slide/ngff/plan.h"

namespace sluice::slide::ome {

/// Fills plan.dtype and plan.samples from the tiles of the channels; they must agree.
Status choose_type(Slide const& slide, ConvertOptions const& options, Plan& plan);

/// Fills plan.images but for their levels and passes.
Status choose_images(Slide const& slide, ConvertOptions const& options, Plan& plan);

}  // namespace sluice::slide::ome
