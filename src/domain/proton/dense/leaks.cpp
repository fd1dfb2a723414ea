// What flies out of the plane of z and x in a dense step.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/dense/leaks.h"

#include <algorithm>

namespace sluice::proton::dense {
namespace {

// The part of a shift to `to` that lands below 0, or from n on.
double outside(index to, Shift const& shift, index n, bool high) {
    auto const is_out = [&](index at) { return high ? at >= n : at < 0; };
    return (is_out(to) ? 1 - shift.part : 0.0) + (is_out(to + 1) ? shift.part : 0.0);
}

template <class Real>
double sum_of(Real const* line, index n) {
    double sum = 0;
    for (index x = 0; x < n; ++x) sum += static_cast<double>(line[x]);
    return sum;
}

}  // namespace

// Planes come first: what lands behind the last one is not beside the columns.
template <class Real>
Leaks leaks_of(Padded<Real> const& from, index low, index high, Flight<Real> const& f,
               index planes) {
    Leaks leaks;
    index const near = std::min(f.columns, std::max<index>(0, -f.x.whole));
    index const far = std::max<index>(0, f.columns - std::max<index>(0, f.x.whole + 1));
    for (index z = low; z < high; ++z) {
        Real const* const line = from.origin + z * from.line;
        double stays = 1;
        // Most planes land on planes.
        if (index const to = z + f.z.whole; to < 0 || to + 1 >= planes) {
            double const before = outside(to, f.z, planes, false);
            double const behind = outside(to, f.z, planes, true);
            double const sum = before + behind > 0 ? sum_of(line, f.columns) : 0;
            leaks.front += before * sum;
            leaks.end += behind * sum;
            stays = 1 - before - behind;
        }
        for (index x = 0; x < near; ++x)
            leaks.left += stays * outside(x + f.x.whole, f.x, f.columns, false) *
                          static_cast<double>(line[x]);
        for (index x = far; x < f.columns; ++x)
            leaks.right +=
                stays * outside(x + f.x.whole, f.x, f.columns, true) * static_cast<double>(line[x]);
    }
    return leaks;
}

template Leaks leaks_of(Padded<float> const&, index, index, Flight<float> const&, index);
template Leaks leaks_of(Padded<double> const&, index, index, Flight<double> const&, index);

}  // namespace sluice::proton::dense
