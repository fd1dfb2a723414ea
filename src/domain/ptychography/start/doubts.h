// Doubts about an input without errors: empty patterns, values that are not counts, lone places.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/ptychography/start/start.h"

namespace sluice::ptycho {

/// A note for each; `width` is that of the probe, in pixels. Of near fields no pixel has a
/// frequency. `count`: the value of one count; 0: values are not counts.
std::vector<std::string> doubts_of(Measured const& measured, Share const& share,
                                   Totals const& totals, Canvas const& canvas, index width,
                                   bool near, double count);

}  // namespace sluice::ptycho
