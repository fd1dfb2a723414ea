// Envelope: what every request has (docs/protocol.md), whatever it is about.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <variant>

#include "app/view/fields.h"

namespace sluice::app {

struct Envelope {
    std::string op, slot;
    std::uint64_t id = 0;
};

/// A request whose envelope was checked, and whose other fields were not.
struct RawRequest {
    Envelope envelope;
    Fields fields;
};

/// What cannot be understood. Of the envelope there is what could be read.
struct BadRequest {
    std::string message;
    Envelope envelope = {};
    Code code = Code::invalid_argument;
};

std::variant<RawRequest, BadRequest> read_request(std::string_view text);

}  // namespace sluice::app
