// Fuzz target: any text as a configuration.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/config/beams.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace sluice;
    auto const c = proton::parse_unspread({reinterpret_cast<char const*>(data), size}, "fuzz.toml");
    if (!c) return 0;
    proton::Phantom const& p = c->phantom;
    expects(p.planes > 0 && p.columns > 0);
    expects(p.map.empty() || std::ssize(p.map) == p.planes * p.columns);
    for (auto const m : p.map) expects(m < p.materials.size());
    return 0;
}
