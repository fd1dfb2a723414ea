// What a crystal of a library shows in an orientation.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "domain/orientation/library/library.h"

namespace sluice::stem4d {

Result<std::vector<TheorySpot>> OrientationLibrary::pattern(index phase,
                                                            Orientation const& orientation) const {
    State const& s = *state_;
    if (phase < 0 || phase >= std::ssize(s.phases))
        return Error{Code::invalid_argument,
                     fmt::format("phase {} is not one of the library's (it has {}, from 0 on)",
                                 phase, s.phases.size())};
    auto const& table = s.tables[static_cast<std::size_t>(phase)];
    orient::Excited excited;
    s.excite(phase, orientation, excited);
    double const most = excited.intensity.empty()
                            ? 1
                            : static_cast<double>(*std::ranges::max_element(excited.intensity));
    std::vector<TheorySpot> spots;
    for (std::size_t i = 0; i < excited.x.size(); ++i)
        spots.push_back({table.hkl[static_cast<std::size_t>(excited.number[i])],
                         static_cast<double>(excited.y[i]), static_cast<double>(excited.x[i]),
                         static_cast<double>(excited.excitation[i]),
                         static_cast<double>(excited.intensity[i]) / most});
    std::ranges::stable_sort(spots, std::ranges::greater{}, &TheorySpot::intensity);
    return spots;
}

}  // namespace sluice::stem4d
