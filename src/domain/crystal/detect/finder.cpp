// Finds the disks of two patterns.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/detect/finder.h"

#include <algorithm>
#include <cmath>

namespace sluice::crystal {
namespace {

using stem4d::DiskReason;

bool near_another(std::vector<FoundDisk> const& disks, FoundDisk const& d, double least) {
    return std::ranges::any_of(disks, [&](FoundDisk const& k) {
        auto const row = static_cast<double>(k.row - d.row);
        auto const col = static_cast<double>(k.col - d.col);
        return row * row + col * col < least * least;
    });
}

}  // namespace

Padded Finder::padded(Room::Pattern const& p) const {
    index const first = margin_ * pitch_ + margin_;
    return {p.counts.data() + first,
            (p.own_weights ? p.weights.data() : weights_.data()) + first,
            shape_.empty() ? nullptr : shape_.data() + first,
            nullptr,
            pitch_,
            setup_.shape[0],
            setup_.shape[1],
            all_good_ && !p.own_weights};
}

void Finder::prepare(Room::Pattern& p) const {
    float* const first = p.counts.data() + margin_ * pitch_ + margin_;
    gaps_.fill(first, pitch_);
    index const bin = setup_.options.bin, rows = setup_.shape[0] / bin,
                cols = setup_.shape[1] / bin;
    index const pitch = correlator_.extents()[1];
    if (bin == 2) return detect_->halve(first, pitch_, p.binned.data(), pitch, rows, cols);
    for (index r = 0; r < rows; ++r)
        std::copy_n(first + r * pitch_, cols, p.binned.data() + r * pitch);
}

void Finder::find(Room& room, std::span<FoundPattern> out) const {
    if (!setup_.lattice) return find_all(room, out);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = find_known(room, static_cast<int>(i));
}

void Finder::find_all(Room& room, std::span<FoundPattern> out) const {
    auto& [a, b] = room.patterns_;
    for (Room::Pattern* const p : {&a, &b}) {
        if (p->used)
            prepare(*p);
        else
            std::fill_n(p->binned.data(), p->binned.size(), 0.0F);
    }
    correlator_.two(room.scratch_.data(), a.binned.data(), b.binned.data(), a.correlated.data(),
                    b.correlated.data());
    for (std::size_t i = 0; i < out.size(); ++i) {
        expects(room.patterns_[i].used);
        out[i] = find_one(room, room.patterns_[i]);
        room.patterns_[i].used = false;
    }
}

FoundPattern Finder::find_one(Room& room, Room::Pattern const& p) const {
    if (!p.any) return {{}, DiskReason::no_counts};
    DiskReason reason = candidates(room, p);
    Padded const pattern = padded(p);
    FoundPattern out;
    std::vector<FoundDisk>& all = room.found_;
    all.clear();
    fit_candidates(room, p);
    for (DiskFit const& fit : room.fits_) {
        bool const strong = fit.converged && fit.score > setup_.options.least_score;
        if (strong) all.push_back(found(pattern, fit));
        // A score that is too low says more than a fit that went astray.
        if (!strong && (fit.converged || reason != DiskReason::below_score))
            reason = fit.converged ? DiskReason::below_score : DiskReason::not_converged;
    }
    // Two candidates may have ended at one disk.
    std::ranges::stable_sort(all, [](auto const& x, auto const& y) { return x.score > y.score; });
    for (FoundDisk const& d : all)
        if (!near_another(out.disks, d, setup_.options.least_distance)) out.disks.push_back(d);
    std::ranges::stable_sort(
        out.disks, [](auto const& x, auto const& y) { return x.intensity > y.intensity; });
    out.reason = out.disks.empty() ? reason : DiskReason::found;
    return out;
}

FoundDisk Finder::found(Padded const& p, DiskFit const& fit) const {
    auto const [row, col, m] = fit.disk;
    double under = m.background;
    if (p.shape) {
        auto const r = std::clamp<index>(std::lround(row), 0, p.rows - 1);
        auto const c = std::clamp<index>(std::lround(col), 0, p.cols - 1);
        under *= static_cast<double>(p.shape[r * p.pitch + c]);
    } else {
        // The plane is that of the crop about the centre's pixel, whose middle is half a pixel on.
        double const half = static_cast<double>(tables_.side()) / 2;
        under += m.slope_row * (row - std::floor(row) - 0.5) / half +
                 m.slope_col * (col - std::floor(col) - 0.5) / half;
    }
    auto const f = [](double v) { return static_cast<float>(v); };
    double const gain = 1 / scale_;
    return {f(row),         f(col),         f(gain * m.height), f(gain * (under - shift_)),
            f(fit.var_row), f(fit.var_col), f(fit.cov),         f(gain * std::sqrt(fit.var_height)),
            f(fit.score)};
}

}  // namespace sluice::crystal
