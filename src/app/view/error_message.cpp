// What an error is called in the protocol, and what its message says.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/error_message.h"

#include <new>

namespace sluice::app {
namespace {

char const* name_of(Code code) {
    switch (code) {
        case Code::invalid_argument:
            return "invalid_argument";
        case Code::not_found:
            return "not_found";
        case Code::unsupported:
            return "unsupported";
        case Code::corrupt:
            return "corrupt";
        case Code::truncated:
            return "truncated";
        case Code::incomplete:
            return "incomplete";
        case Code::out_of_memory:
            return "out_of_memory";
        case Code::io:
            return "io";
        case Code::cancelled:
            return "cancelled";
        case Code::unavailable:
            return "unavailable";
    }
    return "io";
}

}  // namespace

Json error_json(Envelope const& envelope, Json request, Error const& error) {
    return {{"op", "error"},           {"id", envelope.id},
            {"slot", envelope.slot},   {"request", std::move(request)},
            {"message", error.text()}, {"code", name_of(error.code)}};
}

Error error_of(std::exception const& thrown) {
    if (dynamic_cast<std::bad_alloc const*>(&thrown))
        return {Code::out_of_memory, "the machine is out of memory for this answer"};
    return {Code::io, thrown.what()};
}

}  // namespace sluice::app
