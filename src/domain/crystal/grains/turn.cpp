// Compares lattices with the vectors in which they differ least.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/grains/turn.h"

#include <limits>
#include <numbers>

namespace sluice::crystal {

stem4d::LatticeBasis lattice_of(stem4d::LatticeFit const& fit, std::size_t pattern) {
    double const* const v = &fit.values.values[6 * pattern];
    return {{v[0], v[1]}, {v[2], v[3]}, {v[4], v[5]}};
}

double turn_of(stem4d::LatticeBasis const& from, stem4d::LatticeBasis const& to) {
    Matrix2 const m = columns_of(to) * columns_of(from).inverse();
    return std::atan2(m.cr - m.rc, m.rr + m.cc) * 180 / std::numbers::pi;
}

double disorientation(stem4d::LatticeBasis const& from, stem4d::LatticeBasis const& to) {
    constexpr double same = 0.065;  // of the length: strain
    Named const named = nearest_vectors(from, to);
    if (named.change.stretch > same) return std::numeric_limits<double>::quiet_NaN();
    return turn_of(from, with_vectors(to, named.sums));
}

}  // namespace sluice::crystal
