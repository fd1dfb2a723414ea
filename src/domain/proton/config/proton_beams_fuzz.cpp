// Fuzz target: any text as a list of beams.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "sluice/proton_config.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace sluice;
    auto const beams =
        proton::parse_beam_list({reinterpret_cast<char const*>(data), size}, "fuzz.csv");
    if (!beams) return 0;
    expects(!beams->empty());
    for (proton::Beam const& b : *beams)
        expects(b.energy >= 1 && b.energy <= 300 && b.weight > 0 && std::isfinite(b.covariance));
    return 0;
}
