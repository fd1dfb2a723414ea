// FormFactor: five Gaussians out of gemmi's copy of the International Tables.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <gemmi/c4322.hpp>

#include "domain/crystal/gemmi/tables.h"

namespace sluice::crystal {

std::optional<FormFactor> FormFactor::of(int element) {
    // Where gemmi has no element, it has an oxygen.
    if (element < 1 || element > 98) return {};
    auto const& found = gemmi::C4322<double>::get(static_cast<gemmi::El>(element));
    FormFactor out;
    for (int i = 0; i < 5; ++i) {
        out.a_[static_cast<std::size_t>(i)] = found.a(i);
        out.b_[static_cast<std::size_t>(i)] = found.b(i);
    }
    return out;
}

double FormFactor::at(double frequency) const {
    // The table counts in s = sin(theta) / lambda, half the frequency.
    double const s2 = frequency * frequency / 4;
    double sum = 0;
    for (std::size_t i = 0; i < a_.size(); ++i) sum += a_[i] * std::exp(-b_[i] * s2);
    return sum;
}

}  // namespace sluice::crystal
