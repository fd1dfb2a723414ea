// Sums of corrected values, in the order of blocks.
// SPDX-License-Identifier: Apache-2.0
#include "domain/stem4d/corrected_sum.h"

#include <limits>

#include "base/with_type.h"

namespace sluice::stem4d {
namespace {

// Counts are all measured. Their dark is subtracted at once, as from the sums over planes.
template <class T>
double sum_of(T const* values, Compiled const& d) {
    double lanes[8] = {}, sum = 0;
    for (CorrectedPixel const& p : d.corrected)
        lanes[p.lane] += static_cast<double>(values[p.at]) * static_cast<double>(p.weight);
    for (double const lane : lanes) sum += lane;
    return sum - d.offset;
}

double sum_of(float const* values, Compiled const& d) {
    double lanes[8] = {}, sum = 0, all = 0, measured = 0;
    bool any = false;
    for (CorrectedPixel const& p : d.corrected) {
        double const share = d.shares.empty() ? 1 : static_cast<double>(d.shares[p.at]);
        all += share;
        if (!dense::is_measured(values[p.at])) continue;
        any = true, measured += share;
        lanes[p.lane] += (static_cast<double>(values[p.at]) - static_cast<double>(p.dark)) *
                         static_cast<double>(p.weight);
    }
    for (double const lane : lanes) sum += lane;
    if (!any) return std::numeric_limits<double>::quiet_NaN();
    // As dense::measured_sum(): means take what is lacking as like the others.
    return !d.shares.empty() && measured > 0 ? sum * all / measured : sum;
}

}  // namespace

void corrected_sums(dense::Frames const& frames, Compiled const& detector, std::span<double> to) {
    with_detector_type(frames.dtype, [&](auto type) {
        auto const* values = static_cast<decltype(type) const*>(frames.data);
        for (double& sum : to) {
            sum = sum_of(values, detector);
            values += frames.pixels();
        }
    });
}

}  // namespace sluice::stem4d
