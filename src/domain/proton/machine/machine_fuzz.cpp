// Fuzz target: any bytes as a machine: TOML, a beam model of MCsquare, or base data of matRad.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "sluice/proton_machine.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace sluice;
    std::string_view const text(reinterpret_cast<char const*>(data), size);
    auto const m = proton::parse_machine(text, "f");
    if (!m) return 0;
    double last = 0;
    for (proton::MachineEnergy const& e : m->energies) {
        expects(e.nominal > last && !e.spots.empty());
        // Of this energy, and of one between it and the last.
        for (double const nominal : {e.nominal, (e.nominal + last) / 2}) {
            auto const s = proton::setting_of(*m, nominal);
            expects(s.has_value() || last == 0);
            if (!s) continue;
            for (proton::SpotGaussian const& g : s->energy.spots)
                for (std::size_t i = 0; i < 2; ++i)
                    expects(g.sigma[i] >= 0 && std::isfinite(g.sigma[i]) &&
                            std::abs(g.covariance[i]) <=
                                g.sigma[i] * g.divergence[i] * (1 + 1e-6) + 1e-12);
            expects(s->energy.kernel.dose.size() == s->energy.kernel.depth.size());
            for (double const d : s->energy.kernel.dose) expects(std::isfinite(d) && d >= 0);
        }
        last = e.nominal;
    }
    return 0;
}
