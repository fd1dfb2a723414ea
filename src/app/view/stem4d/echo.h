// Echo: what an answer says of its request, so that it is never shown as the answer to another.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/view/stem4d/catalog.h"
#include "app/view/stem4d/request.h"

namespace sluice::app {

/// The request as it was understood: everything that the answer depends on.
Json echo(ScanRequest const& request);

/// Which reading of which scan an answer is of, and its calibration.
Json place_of(Item const& item);

}  // namespace sluice::app
