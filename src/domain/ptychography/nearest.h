// How far positions lie from their neighbours.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "sluice/ptychography.h"

namespace sluice::ptycho {

/// The median distance of a position to the nearest other one, of every `step`-th position.
double median_nearest(std::span<stem4d::Position const> positions, std::size_t step = 1);

}  // namespace sluice::ptycho
