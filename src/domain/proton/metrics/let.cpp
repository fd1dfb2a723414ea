// LET of cells, and spectra of several beams.
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <limits>
#include <set>

#include "sluice/proton.h"

namespace sluice::proton {

std::vector<double> let_map(MarchResult const& r, bool with_secondaries) {
    std::vector<double> out(r.primary.size(), std::numeric_limits<double>::quiet_NaN());
    if (out.empty()) return out;
    double const least = 1e-4 * *std::max_element(r.deposit.begin(), r.deposit.end());
    for (std::size_t i = 0; i < out.size(); ++i) {
        double const energy = r.primary[i] + (with_secondaries ? r.secondary[i] : 0);
        if (!(energy > 0 && r.deposit[i] >= least)) continue;
        out[i] = (r.primary_let[i] + (with_secondaries ? r.secondary_let[i] : 0)) / energy;
    }
    return out;
}

Spectrum sum_of(std::vector<Spectrum> const& spectra) {
    std::set<double> edges;
    for (Spectrum const& s : spectra) edges.insert(s.edges.begin(), s.edges.end());
    Spectrum sum;
    if (!spectra.empty()) sum.depth = spectra.front().depth;
    sum.edges.assign(edges.begin(), edges.end());
    if (sum.edges.empty()) return sum;
    sum.protons.resize(sum.edges.size() - 1);
    for (Spectrum const& s : spectra) {
        if (s.edges.empty()) continue;
        auto const first = std::ranges::lower_bound(sum.edges, s.edges.front());
        auto k = static_cast<std::size_t>(first - sum.edges.begin());
        for (std::size_t i = 0; i < s.protons.size(); ++i)
            for (; sum.edges[k] < s.edges[i + 1]; ++k) sum.protons[k] += s.protons[i];
    }
    return sum;
}

}  // namespace sluice::proton
