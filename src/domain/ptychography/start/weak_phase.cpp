// single_side_band(): the weak phase by itself, for callers that want no reconstruction.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <new>

#include "domain/ptychography/start/single_side_band.h"
#include "domain/ptychography/wrong.h"

namespace sluice::stem4d {

namespace {

using ptycho::wrong;

// With the power of the mean pattern.
Result<ptycho::Planar<double>> probe_in(std::vector<std::complex<float>> const& probe, index n,
                                        double power) {
    if (std::ssize(probe) != n * n)
        return wrong(fmt::format(
            "the probe has {} pixels and the patterns {}x{} (both must have one grid) give a "
            "probe of one mode on the patterns' grid",
            probe.size(), n, n));
    double own = 0;
    for (auto const& z : probe) own += std::norm(std::complex<double>(z));
    if (!(own > 0) || !std::isfinite(own)) return wrong("the probe is empty or not finite");
    double const by = std::sqrt(power / own);
    ptycho::Planar<double> plane(n, n);
    for (index r = 0; r < n; ++r)
        for (index c = 0; c < n; ++c)
            plane.set(r, c, by * std::complex<double>(probe[static_cast<std::size_t>(r * n + c)]));
    return plane;
}

}  // namespace

Result<Array<double>> single_side_band(Patterns patterns,
                                       std::vector<std::complex<float>> const& probe, index margin,
                                       Device const& device) {
    if (patterns.propagation == Propagation::near)
        return wrong(
            "the patterns are near fields (the single side band needs a far field's direct beam) "
            "read them with propagation far");
    try {
        ptycho::Measured measured{.patterns = std::move(patterns)};
        ptycho::Share const alone(measured.patterns.count());
        SLUICE_TRY(auto const totals, ptycho::check(measured, alone));
        SLUICE_TRY(auto const canvas, ptycho::make_canvas(measured.patterns.positions,
                                                          measured.patterns.size, margin));
        SLUICE_TRY(auto const plane, probe_in(probe, measured.patterns.size, totals.mean));
        SLUICE_TRY(auto phases,
                   ptycho::single_side_band(measured, alone, canvas, plane, device.threads()));
        return Array<double>{{canvas.rows, canvas.cols}, std::move(phases)};
    } catch (std::bad_alloc const&) {
        return Error{Code::out_of_memory,
                     "memory ran out for the object (it spans all positions and the margin twice) "
                     "take a region of the scan"};
    }
}

}  // namespace sluice::stem4d
