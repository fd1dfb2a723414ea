// @name@: one sentence on what the instrument gives, and what is made of it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/device.h"
#include "sluice/progress.h"
#include "sluice/result.h"
#include "sluice/view.h"

namespace sluice::@name@ {

struct Options {
    Device device = Device::cpu();  ///< how many threads
    Progress progress = {};
};

/// The sum of all readings, in the unit of the readings. Added up in their order: the same bits for
/// any number of threads. Refuses a reading that is no finite number.
Result<double> total(std::span<double const> readings, Options const& options = {});

}  // namespace sluice::@name@
