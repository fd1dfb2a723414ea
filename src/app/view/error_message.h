// The `error` of docs/protocol.md, which takes the place of an answer.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/view/envelope.h"
#include "app/view/wire.h"

namespace sluice::app {

/// `request` is the request as it was understood, or null.
Json error_json(Envelope const& envelope, Json request, Error const& error);

/// What was thrown, as an error to tell a client.
Error error_of(std::exception const& thrown);

}  // namespace sluice::app
