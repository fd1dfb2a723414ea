// Echo: what an answer says of its request, so that it is never shown as the answer to another.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/view/proton/request.h"
#include "app/view/wire.h"

namespace sluice::app {

/// The request as it was understood: everything that the answer depends on.
Json echo(VolumeRequest const& request);

}  // namespace sluice::app
