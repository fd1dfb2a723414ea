// From maxima of the correlation to candidates, on the pattern's own pixels.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "domain/crystal/detect/finder.h"
#include "domain/crystal/fit/start_model.h"

namespace sluice::crystal {
namespace {

using stem4d::DiskReason;

enum Refused { hot, off };

// Where a parabola through three values has its maximum, from -0.6 to 0.6.
double summit(float before, float here, float after) {
    double const bend =
        static_cast<double>(after) - 2 * static_cast<double>(here) + static_cast<double>(before);
    if (!(bend < 0)) return 0;
    return std::clamp(-0.5 * static_cast<double>(after - before) / bend, -0.6, 0.6);
}

}  // namespace

DiskReason Finder::candidates(Room& room, Room::Pattern const& p) const {
    room.candidates_.clear();
    auto const extents = correlator_.extents();
    index const bin = setup_.options.bin, rows = setup_.shape[0] / bin;
    Field const field{p.correlated.data(), extents[1], rows, setup_.shape[1] / bin};
    index const count = detect_->peaks(field, static_cast<float>(floor_), room.peaks_.data());
    Padded const pattern = padded(p);
    index refused[2] = {};
    for (index i = 0; i < count; ++i) {
        Peak const peak = room.peaks_[static_cast<std::size_t>(i)];
        float const* const at = p.correlated.data() + peak.row * extents[1] + peak.col;
        double const width = static_cast<double>(bin), middle = (width - 1) / 2;
        Candidate c;
        c.start.row = (peak.row + summit(at[-extents[1]], *at, at[extents[1]])) * width + middle;
        c.start.col = (peak.col + summit(at[-1], *at, at[1])) * width + middle;
        look_closer(room, p, pattern, c, refused);
    }
    thin_out(room.candidates_);
    if (refused[hot] > 0) return DiskReason::hot_pixels;
    return refused[off] > 0 ? DiskReason::off_detector : DiskReason::no_candidate;
}

void Finder::look_closer(Room& room, Room::Pattern const& of, Padded const& p, Candidate c,
                         index (&refused)[2]) const {
    room.crop_.cut(p, c.start.row, c.start.col);
    if (room.crop_.visible() < 0.5 || (of.saturated && partly_cut(room, p, c))) {
        ++refused[off];
        return;
    }
    Crop const crop = room.crop_.at(c.start.row, c.start.col, c.start.model);
    KernelSums const sums = fit_->correlate(crop, room.crop_.mean_of_table());
    c.snr = sums.counts / std::sqrt(std::max(sums.variance, 1e-12));
    if (!(c.snr >= setup_.options.least_snr)) return;
    // How many pixels the sum is made of: of a hot pixel, one.
    if (sums.counts * sums.counts < least_spread_ * sums.squares) {
        ++refused[hot];
        return;
    }
    start_model(sums, crop, c.start.model);
    room.candidates_.push_back(c);
}

// Pixels of a saturated disk that chance kept below the limit are a selection, which would pull it.
bool Finder::partly_cut(Room& room, Padded const& p, Candidate const& c) const {
    float const* const common = weights_.data() + margin_ * pitch_ + margin_;
    double const seen = room.crop_.visible();
    Padded whole = p;
    whole.weights = common;
    whole.all_good = all_good_;
    room.crop_.cut(whole, c.start.row, c.start.col);
    double const usual = room.crop_.visible();
    room.crop_.cut(p, c.start.row, c.start.col);
    return seen < usual - 0.01;
}

void Finder::thin_out(std::vector<Candidate>& candidates) const {
    std::ranges::stable_sort(candidates,
                             [](auto const& a, auto const& b) { return a.snr > b.snr; });
    double const least = setup_.options.least_distance;
    std::size_t kept = 0;
    for (Candidate const& c : candidates) {
        bool const near = std::any_of(
            candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(kept),
            [&](Candidate const& k) {
                // Squares: thousands of pairs of a pattern are compared.
                double const row = k.start.row - c.start.row, col = k.start.col - c.start.col;
                return row * row + col * col < least * least;
            });
        if (near) continue;
        candidates[kept++] = c;
        if (static_cast<index>(kept) >= setup_.options.most_disks) break;
    }
    candidates.resize(kept);
}

}  // namespace sluice::crystal
