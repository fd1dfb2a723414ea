// The scan's own raster in the phase: structure of its period may belong to the probe or the
// object. SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "domain/ptychography/judge/look.h"

namespace sluice::ptycho {

namespace {

// How far the places of the scan repeat with each frequency of the part, 1: they all do. Any
// raster's harmonics show, turned ones too, and a scan without a raster has none.
Result<std::vector<double>> repetition(Look const& look) {
    index const rows = look.part.rows, cols = look.part.cols, n = look.result.probe.shape[1];
    index const middle = n / 2;
    auto const down = hann_window(rows), along = hann_window(cols);
    std::vector<double> places(static_cast<std::size_t>(rows * cols));
    for (auto const& p : look.result.positions) {
        double const y = p.row + static_cast<double>(middle - look.part.row);
        double const x = p.col + static_cast<double>(middle - look.part.col);
        auto const r = static_cast<index>(std::floor(y)), c = static_cast<index>(std::floor(x));
        for (index i : {0, 1})
            for (index k : {0, 1}) {
                if (r + i < 0 || c + k < 0 || r + i >= rows || c + k >= cols) continue;
                double const share = (1 - std::abs(y - static_cast<double>(r + i))) *
                                     (1 - std::abs(x - static_cast<double>(c + k)));
                places[static_cast<std::size_t>((r + i) * cols + c + k)] +=
                    share * down[static_cast<std::size_t>(r + i)] *
                    along[static_cast<std::size_t>(c + k)];
            }
    }
    SLUICE_TRY(auto found, power_of(places, rows, cols));
    double const all = found[0];
    for (double& power : found) power /= all;
    return found;
}

// The largest modulus within one bin over the median one around it, or on the line from zero
// through it where that is more: edges along an axis make such lines.
double signal_to_noise(Look const& look, index row, index col) {
    double peak = 0;
    std::vector<double> around, line;
    for (index i = -6; i <= 6; ++i)
        for (index k = -6; k <= 6; ++k) {
            double const modulus = std::sqrt(look.power_at(row + i, col + k));
            index const away = std::max(std::abs(i), std::abs(k));
            if (away <= 1) peak = std::max(peak, modulus);
            if (away >= 3) around.push_back(modulus);
        }
    double const length = std::hypot(static_cast<double>(row), static_cast<double>(col));
    for (index i = -8; i <= 8; ++i) {
        if (std::abs(i) < 3) continue;
        double const by = 1 + static_cast<double>(i) / length;
        line.push_back(std::sqrt(look.power_at(std::lround(static_cast<double>(row) * by),
                                               std::lround(static_cast<double>(col) * by))));
    }
    double const noise = std::max(median_of(std::move(around)), median_of(std::move(line)));
    return noise > 0 ? peak / noise : 0;
}

// A harmonic of the scan, in cycles per pixel and in bins.
struct Harmonic {
    double row_frequency = 0, col_frequency = 0;
    index row = 0, col = 0;
    double length() const { return std::hypot(row_frequency, col_frequency); }
};

}  // namespace

std::optional<Judgement> find_scan_grid(Look const& look) {
    auto const scan = repetition(look);
    if (!scan) return {};
    index const rows = look.part.rows, cols = look.part.cols;
    auto const at = [&](index r, index c) { return look.of_half(*scan, r, c); };
    std::vector<Harmonic> peaks;
    for (index r = 0; r <= rows / 2; ++r)
        for (index k = r == 0 ? 1 : -(cols - 1) / 2; k <= cols / 2; ++k) {
            // The first bins are those of the part's own extent.
            if (std::hypot(static_cast<double>(r), static_cast<double>(k)) < 3) continue;
            if (at(r, k) < 0.3) continue;
            bool top = true;
            for (index i = -1; i <= 1; ++i)
                for (index j = -1; j <= 1; ++j) top = top && at(r + i, k + j) <= at(r, k);
            if (top)
                peaks.push_back({static_cast<double>(r) / static_cast<double>(rows),
                                 static_cast<double>(k) / static_cast<double>(cols), r, k});
        }
    // The two shortest that do not lie on one line: what repeats does so in both directions, where
    // a grating, or one wave of a lattice, shows in one.
    std::ranges::sort(peaks, {}, &Harmonic::length);
    // Noise cannot be measured over a few periods.
    if (!peaks.empty() && std::hypot(static_cast<double>(peaks.front().row),
                                     static_cast<double>(peaks.front().col)) < 7)
        return {};
    double value = 0;
    for (Harmonic const& other : peaks) {
        Harmonic const& first = peaks.front();
        double const sine = std::abs(first.row_frequency * other.col_frequency -
                                     first.col_frequency * other.row_frequency) /
                            (first.length() * other.length());
        if (sine < 0.4) continue;
        value = std::min(signal_to_noise(look, first.row, first.col),
                         signal_to_noise(look, other.row, other.col));
        break;
    }
    Judgement found{.name = "scan grid", .value = value, .threshold = 5};
    found.found = found.value > found.threshold;
    found.advice =
        "the phase repeats with the scan's step (a raster lets probe and object exchange structure "
        "of its period) take a probe that is nearer to the truth, or scan with jitter; it may also "
        "be "
        "the specimen's lattice";
    return found;
}

}  // namespace sluice::ptycho
