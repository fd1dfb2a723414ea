// The map of a scan out of its patterns' matches, with notes on what was taken for granted.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/orientation/match/model_errors.h"

namespace sluice::orient {

stem4d::OrientationMap map_of(std::vector<std::vector<Match>> const& found,
                              stem4d::CalibratedVectors const& vectors,
                              stem4d::OrientationLibrary const& library, MatchRules const& rules,
                              MeasuredErrors const& measured);

}  // namespace sluice::orient
