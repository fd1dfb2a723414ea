// Answers about structures: their outlines on planes, and histograms of doses in them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "app/view/proton/request.h"
#include "app/view/proton/shown_structure.h"
#include "app/view/proton/shown_volume.h"

namespace sluice::app {

/// Lines of structures in the space of `onto`.
Result<server::SharedMessage> answer_outlines(std::span<ShownStructure const> structures,
                                              ShownVolume const& onto, OutlinesRequest const& r,
                                              Json header);

Result<server::SharedMessage> answer_histogram(std::span<ShownStructure const> structures,
                                               ShownVolume const& volume, HistogramRequest const& r,
                                               Json header);

}  // namespace sluice::app
