// Addresses of streams.
// SPDX-License-Identifier: Apache-2.0
#include "net/address.h"

#include <fmt/format.h>

#include <charconv>
#include <string_view>

namespace sluice::net {
namespace {

// Not of what is no number: who connects says that.
bool is_too_large(std::string_view port) {
    int number = 0;
    auto const [end, error] = std::from_chars(port.data(), port.data() + port.size(), number);
    return error == std::errc::result_out_of_range || number > 65535;
}

}  // namespace

Status check_address(std::string const& address) {
    std::string_view const text = address;
    std::string_view why;
    if (!text.starts_with("tcp://") && !text.starts_with("ipc://"))
        why = "it begins with tcp:// or ipc://";
    else if (text.starts_with("tcp://") && is_too_large(text.substr(text.rfind(':') + 1)))
        why = "ports end at 65535";
    if (why.empty()) return {};
    return Error{Code::invalid_argument,
                 fmt::format("'{}' is no address of a stream ({}) give one as "
                             "tcp://127.0.0.1:31001",
                             address, why)};
}

}  // namespace sluice::net
