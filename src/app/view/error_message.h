// The `error` of docs/protocol.md, which takes the place of an answer.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/view/envelope.h"
#include "app/view/wire.h"

namespace sluice::app {

/// `request` is the request as it was understood, or null.
Json error_json(Envelope const& envelope, Json request, Error const& error);

}  // namespace sluice::app
