// The error for an invalid value of the caller.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sluice/result.h"

namespace sluice::ptycho {

/// `message` reads: problem (why it is one) what to do.
inline Error wrong(std::string message) {
    return {Code::invalid_argument, std::move(message)};
}

}  // namespace sluice::ptycho
