// The numbers of an evidence with their names, for those who fit what is believed.
// SPDX-License-Identifier: Apache-2.0
#include "domain/orientation/believe/evidence.h"

namespace sluice::orient {

std::vector<std::pair<std::string_view, double>> numbers_of(Evidence const& e) {
    auto const d = [](auto x) { return static_cast<double>(x); };
    return {{"score", d(e.score)},
            {"second_score", d(e.second_score)},
            {"log_odds", d(e.log_odds)},
            {"second_log_odds", d(e.second_log_odds)},
            {"others_log_odds", d(e.others_log_odds)},
            {"second_degrees", d(e.second_degrees)},
            {"residual", d(e.residual)},
            {"explained", d(e.explained)},
            {"disks", d(e.disks)},
            {"matched", d(e.matched)},
            {"crystals", d(e.crystals)},
            {"missing", d(e.missing)},
            {"visible", d(e.visible)},
            {"second_matched", d(e.second_matched)},
            {"second_explained", d(e.second_explained)},
            {"place_chi2", d(e.place_chi2)},
            {"intensity_chi2", d(e.intensity_chi2)},
            {"place_rms", d(e.place_rms)},
            {"tolerance", d(e.tolerance)},
            {"tilt_error", d(e.tilt_error)},
            {"stretch", d(e.stretch)},
            {"stretch_error", d(e.stretch_error)},
            {"probability", d(believe(e).probability)}};
}

}  // namespace sluice::orient
