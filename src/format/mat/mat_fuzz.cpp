// Fuzz target: any bytes as a MAT file.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "format/mat/mat.h"

namespace {

using sluice::expects;
namespace mat = sluice::mat;

void walk(mat::Value const& v) {
    expects(v.count() >= 0);
    for (std::string const& name : v.fields)
        for (sluice::index i = 0; i < std::min<sluice::index>(v.count(), 3); ++i)
            expects(v.field(name, i) != nullptr);
    expects(v.field("no such field", 0) == nullptr || !v.fields.empty());
    for (mat::Value const& item : v.items) walk(item);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    sluice::Bytes const bytes = std::as_bytes(std::span(data, size));
    (void)mat::first_variable(bytes.first(std::min<std::size_t>(size, 4096)));
    if (auto const v = mat::read_variable(bytes, "machine", "f")) walk(*v);
    return 0;
}
