// What the phase itself shows: wraps, and whether it has any contrast.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <numbers>

#include "domain/ptychography/judge/look.h"

namespace sluice::ptycho {

std::optional<Judgement> find_wraps(Look const& look) {
    index wrapped = 0, all = 0;
    auto const compare = [&](index r, index c, index to_r, index to_c) {
        if (to_r >= look.part.rows || to_c >= look.part.cols) return;
        if (!look.lit_at(r, c) || !look.lit_at(to_r, to_c)) return;
        auto const at = [&](index row, index col) {
            return look.phase[static_cast<std::size_t>(row * look.part.cols + col)];
        };
        ++all;
        wrapped += std::abs(at(r, c) - at(to_r, to_c)) > std::numbers::pi;
    };
    for (index r = 0; r < look.part.rows; ++r)
        for (index c = 0; c < look.part.cols; ++c) {
            compare(r, c, r + 1, c);
            compare(r, c, r, c + 1);
        }
    if (all == 0) return {};
    Judgement found{.name = "phase wraps",
                    .value = static_cast<double>(wrapped) / static_cast<double>(all),
                    .threshold = 0.01};
    found.found = found.value > found.threshold;
    found.advice =
        "neighbouring phases jump by a turn (the object is thick, or the reconstruction failed) "
        "unwrap the phase before it is measured, take slices, or check defocus and rotation";
    return found;
}

std::optional<Judgement> find_low_contrast(Look const& look) {
    double sum = 0, squares = 0, count = 0;
    for (std::size_t i = 0; i < look.phase.size(); ++i) {
        if (!look.part.lit[i]) continue;
        sum += look.phase[i];
        squares += look.phase[i] * look.phase[i];
        count += 1;
    }
    if (count == 0) return {};
    double const mean = sum / count;
    Judgement found{.name = "low contrast",
                    .value = std::sqrt(std::max(squares / count - mean * mean, 0.0)),
                    .threshold = 0.02};
    found.found = found.value < found.threshold;
    found.advice =
        "the phase varies by less than 0.02 rad (the scan saw no specimen, or the reconstruction "
        "did not find it) check "
        "the scan's step and rotation, and run more iterations";
    return found;
}

}  // namespace sluice::ptycho
