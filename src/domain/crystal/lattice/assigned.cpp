// Finds lattice points of disks, and sums over those that take part.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/lattice/assigned.h"

#include <algorithm>

#include "domain/crystal/lattice/matrix2.h"

namespace sluice::crystal {
namespace {

// The inverse of a covariance with `added` on its diagonal; false: it is no covariance.
bool weight_of(double rr, double rc, double cc, double added, Weight2& into) {
    // A variance of 0 is no measurement, whatever is added to it.
    if (!(rr > 0) || !(cc > 0) || !(rr * cc > rc * rc)) return false;
    rr += added, cc += added;
    double const d = rr * cc - rc * rc;
    into = {cc / d, -rc / d, rr / d};
    return d > 0 && std::isfinite(1 / d);
}

}  // namespace

void Assigned::take(stem4d::BraggVectors const& v, index pattern, double variance, bool equal) {
    auto const from = static_cast<std::size_t>(v.first[static_cast<std::size_t>(pattern)]);
    auto const n = static_cast<std::size_t>(v.count(pattern));
    disks_.clear();
    for (std::size_t j = from; j < from + n; ++j) {
        Disk d{.row = v.row[j],
               .col = v.col[j],
               .weight = {1 / variance, 0, 1 / variance},
               .variance = variance,
               .weighs = true};
        if (!equal) {
            double const rr = v.var_row[j], cc = v.var_col[j];
            d.weighs = weight_of(rr, v.cov_row_col[j], cc, variance, d.weight);
            d.variance += (rr + cc) / 2;
        }
        disks_.push_back(d);
    }
    used_ = 0, moved_ = false;
}

void Assigned::place_on(stem4d::LatticeBasis const& l) {
    Matrix2 const to = columns_of(l).inverse();
    for (Disk& d : disks_) {
        double const y = d.row - l.origin.row, x = d.col - l.origin.col;
        double const h = nearest(to.rr * y + to.rc * x), k = nearest(to.cr * y + to.cc * x);
        double const r = y - h * l.a.row - k * l.b.row, c = x - h * l.a.col - k * l.b.col;
        moved_ |= d.used & ((h != d.h) | (k != d.k));
        d.h = h, d.k = k, d.rest_row = r, d.rest_col = c;
        d.mahalanobis = d.weight.rr * r * r + 2 * d.weight.rc * r * c + d.weight.cc * c * c;
        d.from_point2 = r * r + c * c, d.from_origin2 = y * y + x * x;
    }
}

bool Assigned::choose(Limits const& limits) {
    double const distance2 = limits.distance * limits.distance,
                 reach2 = limits.reach * limits.reach;
    bool changed = moved_;
    used_ = 0;
    for (Disk& d : disks_) {
        // A place or a weight that is not a number compares false, and takes no part.
        bool const used = (d.from_point2 <= distance2) & (d.mahalanobis <= limits.mahalanobis) &
                          (d.from_point2 <= limits.blurred * (limits.spread2 + d.variance)) &
                          (d.from_origin2 <= reach2) & d.weighs;
        changed |= used != d.used;
        d.used = used;
        used_ += used;
    }
    moved_ = false;
    return changed;
}

Normal6 Assigned::normal() const {
    Normal6 sums;
    for (Disk const& d : disks_)
        if (d.used) sums.add(d.weight, d.h, d.k, d.rest_row, d.rest_col);
    return sums;
}

Normal6 Assigned::equal_normal() const {
    Normal6 sums;
    for (Disk const& d : disks_)
        if (d.used) sums.add({1, 0, 1}, d.h, d.k, d.rest_row, d.rest_col);
    return sums;
}

double Assigned::chi2() const {
    double sum = 0;
    for (Disk const& d : disks_)
        if (d.used) sum += d.mahalanobis;
    return sum;
}

double Assigned::squares() const {
    double sum = 0;
    for (Disk const& d : disks_)
        if (d.used) sum += d.rest_row * d.rest_row + d.rest_col * d.rest_col;
    return sum;
}

void Assigned::points(std::vector<std::array<int, 2>>& into) const {
    into.clear();
    for (Disk const& d : disks_)
        if (d.used) into.push_back({static_cast<int>(d.h), static_cast<int>(d.k)});
}

double Assigned::median_of(double Disk::*member) {
    sorted_.clear();
    for (Disk const& d : disks_)
        if (d.used) sorted_.push_back(d.*member);
    if (sorted_.empty()) return 0;
    auto const middle = sorted_.begin() + std::ssize(sorted_) / 2;
    std::nth_element(sorted_.begin(), middle, sorted_.end());
    return *middle;
}

double Assigned::median() {
    return median_of(&Disk::mahalanobis);
}

double Assigned::median_square() {
    return median_of(&Disk::from_point2);
}

}  // namespace sluice::crystal
