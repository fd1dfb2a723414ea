// What the spectrum of the phase tells: a checkerboard, rings, streaks along the scan.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "domain/ptychography/judge/look.h"

namespace sluice::ptycho {

std::optional<Judgement> find_checkerboard(Look const& look) {
    index const rows = look.part.rows, cols = look.part.cols;
    double corner = 0, pixels = 0;
    std::vector<double> around;
    // Within a sixth of a cycle about the highest frequency of both axes.
    for (index i = -rows / 6; i <= rows / 6; ++i)
        for (index k = -cols / 6; k <= cols / 6; ++k) {
            double const power = look.power_at(rows / 2 + i, cols / 2 + k);
            if (std::max(std::abs(i), std::abs(k)) <= 1)
                corner += power, pixels += 1;
            else if (std::max(std::abs(i), std::abs(k)) >= 3)
                around.push_back(power);
        }
    if (around.empty()) return {};
    // The mean of powers of noise is 1.44 times their median.
    double const noise = 1.44 * median_of(std::move(around));
    Judgement found{
        .name = "checkerboard", .value = noise > 0 ? corner / pixels / noise : 0, .threshold = 10};
    found.found = found.value > found.threshold;
    found.advice =
        "neighbouring pixels alternate (the patterns do not tell them apart) take a smaller object "
        "step, mask the detector's edge, or give a smoother probe";
    return found;
}

std::optional<Judgement> find_ringing(Look const& look) {
    index const rows = look.part.rows, cols = look.part.cols, side = std::min(rows, cols);
    std::vector<std::vector<double>> rings(static_cast<std::size_t>(side / 2));
    for (index r = 0; r < rows; ++r)
        for (index c = 0; c < cols; ++c) {
            double const y = static_cast<double>(std::min(r, rows - r)) / static_cast<double>(rows);
            double const x = static_cast<double>(std::min(c, cols - c)) / static_cast<double>(cols);
            auto const ring =
                static_cast<std::size_t>(std::hypot(y, x) * static_cast<double>(side) + 0.5);
            if (ring < rings.size()) rings[ring].push_back(look.power_at(r, c));
        }
    // The median of a ring does not see the points of a lattice.
    std::vector<double> power, pixels, sums;
    double all = 0;
    for (auto& ring : rings) {
        sums.push_back(0);
        for (double p : ring) sums.back() += p;
        all += sums.back();
        pixels.push_back(static_cast<double>(ring.size()));
        power.push_back(median_of(std::move(ring)));
    }
    auto const count = std::ssize(power);
    index const near = std::max<index>(4, count / 8);
    double most = 0;
    for (index i = count * 4 / 10; i < count; ++i) {
        index const from = std::max<index>(1, i - near), to = std::min(count, i + near + 1);
        double const smooth = median_of({power.begin() + from, power.begin() + to});
        auto const at = static_cast<std::size_t>(i);
        // A thousandth of the phase does not matter.
        if (sums[at] - smooth * pixels[at] < 1e-3 * all) continue;
        if (smooth > 0) most = std::max(most, power[at] / smooth);
    }
    Judgement found{.name = "ringing", .value = most, .threshold = 3};
    found.found = found.value > found.threshold;
    found.advice =
        "one spatial frequency stands out in all directions (waves surround edges) check the "
        "detector's "
        "step and the probe's defocus, and that bright pixels are not cut off";
    return found;
}

std::optional<Judgement> find_streaks(Look const& look) {
    // Along the scan's fast direction: most steps from one pattern to the next go there.
    std::vector<double> rows, cols;
    auto const& places = look.result.positions;
    for (std::size_t j = 1; j < places.size(); ++j) {
        rows.push_back(places[j].row - places[j - 1].row);
        cols.push_back(places[j].col - places[j - 1].col);
    }
    double y = median_of(std::move(rows)), x = median_of(std::move(cols));
    double const length = std::hypot(y, x);
    y = length > 0.1 ? y / length : 0;
    x = length > 0.1 ? x / length : 1;
    // A line of the specimen's spectrum goes through zero; what differs from row to row of the scan
    // lies across the fast direction. Against what lies beside, and against the other direction.
    auto const line = [&](double across, double along) {
        auto const bins = [&](index f, double beside) {
            double const fy = static_cast<double>(f) * across / 64;
            double const fx = static_cast<double>(f) * along / 64;
            return look.power_at(
                std::lround(fy * static_cast<double>(look.part.rows) - beside * along),
                std::lround(fx * static_cast<double>(look.part.cols) + beside * across));
        };
        std::vector<double> ratios;
        for (index f = 4; f < 30; ++f) {
            std::vector<double> around;
            for (double beside : {4.0, 5.0, 6.0, 7.0, 8.0}) {
                around.push_back(bins(f, beside));
                around.push_back(bins(f, -beside));
            }
            double const noise = median_of(std::move(around));
            if (noise > 0) ratios.push_back(bins(f, 0) / noise);
        }
        return median_of(std::move(ratios));
    };
    double const streaks = line(-x, y), other = line(y, x);
    Judgement found{.name = "streaks", .value = streaks / std::max(other, 1.0), .threshold = 10};
    found.found = found.value > found.threshold;
    found.advice =
        "lines of the scan differ in phase (drift, flyback, or a beam that flickers) refine the "
        "positions, or leave out lines; it may also be lines of the specimen";
    return found;
}

}  // namespace sluice::ptycho
