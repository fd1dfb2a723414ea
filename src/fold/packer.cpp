// Numbers out of bytes that are not trusted.
// SPDX-License-Identifier: Apache-2.0
#include "fold/packer.h"

#include <fmt/format.h>

namespace sluice::fold {

Result<Bytes> Unpacker::bytes(std::uint64_t count) {
    if (count > rest_.size()) return too_short();
    auto const n = static_cast<std::size_t>(count);
    Bytes const b = rest_.first(n);
    rest_ = rest_.subspan(n);
    return b;
}

Status Unpacker::end() const {
    if (rest_.empty()) return {};
    return Error{Code::corrupt,
                 fmt::format("{} bytes are left over in a packed part (its sizes do not fit what "
                             "it holds) fold the part again",
                             rest_.size())};
}

Error Unpacker::too_short() const {
    return {Code::truncated,
            fmt::format("a packed part ends too soon (only {} bytes are left) fold "
                        "the part again",
                        rest_.size())};
}

}  // namespace sluice::fold
