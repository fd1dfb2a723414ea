// Fuzzes lines of histories: what is read is written and read as the same.
// SPDX-License-Identifier: Apache-2.0
#include "bench/history.h"
#include "sluice/result.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace sluice;
    auto const run = bench::parse_line({reinterpret_cast<char const*>(data), size});
    if (!run) return 0;
    auto const again = bench::parse_line(bench::line_of(*run));
    expects(again && again->rows.size() == run->rows.size());
    return 0;
}
