// CBOR as text, for tests and for people who look at a message.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sluice/result.h"
#include "sluice/view.h"

namespace sluice::cbor {

/// One item in the diagnostic notation of RFC 8949, section 8; error: bytes are left behind it.
Result<std::string> diagnostic(Bytes message);

}  // namespace sluice::cbor
