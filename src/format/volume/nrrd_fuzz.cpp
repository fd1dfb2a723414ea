// Fuzz target: any text as the header of an NRRD file.
// SPDX-License-Identifier: Apache-2.0
#include "format/volume/header.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace sluice;
    auto const h = volume::parse_nrrd({reinterpret_cast<char const*>(data), size});
    if (!h) return 0;
    expects(static_cast<bool>(volume::check_sides(h->sides)));
    expects(h->spacing.empty() || h->spacing.size() == h->sides.size());
    for (double const s : h->spacing) expects(s > 0);
    expects(h->origin.empty() || h->origin.size() == h->sides.size());
    return 0;
}
