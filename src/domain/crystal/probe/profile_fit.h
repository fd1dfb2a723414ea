// Fits a radial profile to images of a disk whose edge is known already.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/crystal/probe/edge_fit.h"

namespace sluice::crystal {

/// The template with a profile in the place of an edge. Fails where pixels do not determine one.
Result<stem4d::ProbeTemplate> fit_profile(DiskImages const& images, EdgeFit const& edge);

}  // namespace sluice::crystal
