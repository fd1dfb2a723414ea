// Answers about volumes: planes, profiles and differences, as messages.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "app/view/proton/request.h"
#include "app/view/proton/shown_structure.h"
#include "app/view/proton/shown_volume.h"
#include "sluice/progress.h"

namespace sluice::app {

/// Adds to `header` what the answer is, and its values behind it.
Result<server::SharedMessage> answer(std::span<ShownVolume const> volumes,
                                     std::span<ShownStructure const> structures,
                                     VolumeRequest const& request, Json header,
                                     Progress const& progress = {});

}  // namespace sluice::app
