// Fuzz target: any text as a list of a machine's energies.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/machine/files.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace sluice;
    std::string_view const text(reinterpret_cast<char const*>(data), size);
    auto const energies = proton::parse_energy_list(text, "f");
    if (!energies) return 0;
    double last = 0;
    for (proton::MachineEnergy const& e : *energies) {
        expects(e.nominal > last && e.mean > 0 && !e.spots.empty());
        last = e.nominal;
    }
    return 0;
}
