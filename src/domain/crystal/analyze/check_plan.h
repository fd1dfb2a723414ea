// What can be told of a plan before its scan is there.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/stem4d/phase_wish.h"
#include "sluice/stem4d_analyze.h"

namespace sluice::crystal {

stem4d::PhaseWish wish_of(stem4d::MomentsPart const& part);

/// Two results of one name, parts without a wish, and wishes that have no effect.
Status check_plan(stem4d::AnalysisPlan const& plan);

}  // namespace sluice::crystal
