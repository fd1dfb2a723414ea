// Takes the reference as it is given, or as a median over patterns.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/strain/reference.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numbers>

#include "domain/crystal/lattice/believe.h"

namespace sluice::crystal {
namespace {

using stem4d::LatticeBasis;
using stem4d::LatticeFit;
using stem4d::LatticeReason;

// The mean of the two in the middle, so that two patterns count alike.
double median_of(std::vector<double>& values) {
    auto const n = std::ssize(values);
    auto const middle = values.begin() + n / 2;
    std::nth_element(values.begin(), middle, values.end());
    double const high = *middle;
    return n % 2 == 1 ? high : (high + *std::max_element(values.begin(), middle)) / 2;
}

// One standard error of a median, from how far half of the values lie from it.
double error_of_median(std::vector<double> values, double median) {
    for (double& v : values) v = std::abs(v - median);
    auto const n = static_cast<double>(values.size());
    return std::sqrt(std::numbers::pi / 2) * 1.4826 * median_of(values) / std::sqrt(n);
}

Status check_directions(LatticeBasis const& l) {
    double const sine = std::abs(cross(l.a, l.b)) / (length_of(l.a) * length_of(l.b));
    if (sine > 1e-3) return {};
    return Error{Code::invalid_argument,
                 fmt::format("the vectors ({:.4g}, {:.4g}) and ({:.4g}, {:.4g}) of the reference "
                             "lie on a line (no lattice has such vectors); give two directions",
                             l.a.row, l.a.col, l.b.row, l.b.col)};
}

std::vector<double> column_of(LatticeFit const& fit, std::vector<std::uint8_t> const& region,
                              std::size_t i) {
    std::vector<double> values;
    for (std::size_t p = 0; p < fit.reason.size(); ++p)
        if (fit.reason[p] == LatticeReason::fitted && (region.empty() || region[p] != 0))
            values.push_back(fit.values.values[6 * p + i]);
    return values;
}

Result<Reference> median_reference(LatticeFit const& fit, std::vector<std::uint8_t> const& region) {
    std::array<double, 6> middle{};
    double error = 0;
    index patterns = 0;
    for (std::size_t i = 0; i < 6; ++i) {
        std::vector<double> values = column_of(fit, region, i);
        patterns = std::ssize(values);
        if (values.empty())
            return Error{
                Code::invalid_argument,
                fmt::format("no pattern of the {} has a lattice (strain is measured from "
                            "their median) {}",
                            region.empty() ? "scan" : "region",
                            region.empty() ? "look at the notes of the fit"
                                           : "choose another region, or give a reference")};
        middle[i] = median_of(values);
        if (i >= 2) error = std::max(error, error_of_median(std::move(values), middle[i]));
    }
    LatticeBasis const l{{middle[0], middle[1]}, {middle[2], middle[3]}, {middle[4], middle[5]}};
    double const shorter = std::min(length_of(l.a), length_of(l.b));
    return Reference{
        l, fmt::format("the reference is the median over {} lattices{}; it is known to {:.1e} of "
                       "its length, which is in no error of the maps, since all share it",
                       patterns, region.empty() ? "" : " of the region", error / shorter)};
}

// The vectors of a fitted lattice as sums of those of a given one.
Matrix2 sums_of(LatticeBasis const& given, LatticeBasis const& fitted) {
    Named const near = nearest_vectors(fitted, given);
    if (near.change.stretch < 0.2) return near.sums;
    Matrix2 const n = columns_of(given).inverse() * columns_of(fitted);
    return {nearest(n.rr), nearest(n.rc), nearest(n.cr), nearest(n.cc)};
}

// Those that most patterns have: the median of grains that are turned is no lattice.
Matrix2 sums_of(LatticeBasis const& given, LatticeFit const& fit) {
    std::map<std::array<double, 4>, index> votes;
    for (std::size_t p = 0; p < fit.reason.size(); ++p) {
        if (fit.reason[p] != LatticeReason::fitted) continue;
        double const* const v = &fit.values.values[6 * p];
        Matrix2 const n = sums_of(given, {{v[0], v[1]}, {v[2], v[3]}, {v[4], v[5]}});
        ++votes[{n.rr, n.rc, n.cr, n.cc}];
    }
    auto const [n, count] =
        *std::ranges::max_element(votes, {}, [](auto const& vote) { return vote.second; });
    return {n[0], n[1], n[2], n[3]};
}

// The vectors of a given lattice that are nearest to those that were fitted: of a square lattice
// another scan may have named other ones.
Result<Reference> given_reference(LatticeFit const& fit, LatticeBasis const& given) {
    Reference out{given, "the reference is given; errors take it as exact"};
    SLUICE_TRY(Reference const fitted, median_reference(fit, {}));
    Matrix2 const n = sums_of(given, fit);
    if (std::abs(n.determinant()) != 1)
        out.note +=
            "; its vectors are no vectors of the fitted lattice, so that the strain is not small";
    else if (!(n.rr == 1 && n.rc == 0 && n.cr == 0 && n.cc == 1)) {
        Matrix2 const v = columns_of(given) * n;
        out.basis.a = {v.rr, v.cr}, out.basis.b = {v.rc, v.cc};
        out.note += fmt::format(
            "; its vectors are taken as a ({:.4f}, {:.4f}) and b ({:.4f}, {:.4f}), the same "
            "lattice "
            "as the fit has it",
            v.rr, v.cr, v.rc, v.cc);
    }
    if (cross(out.basis.a, out.basis.b) * cross(fitted.basis.a, fitted.basis.b) > 0) return out;
    return Error{
        Code::invalid_argument,
        "the reference has another hand than the lattices (no deformation leads from one to "
        "the other); exchange its vectors"};
}

}  // namespace

Result<Reference> reference_of(LatticeFit const& fit, stem4d::StrainOptions const& options) {
    if (options.reference) {
        SLUICE_CHECK(check_directions(*options.reference));
        return given_reference(fit, *options.reference);
    }
    SLUICE_TRY(Reference out, median_reference(fit, options.region));
    SLUICE_CHECK(check_directions(out.basis));
    return out;
}

}  // namespace sluice::crystal
