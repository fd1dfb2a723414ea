// Measures how two lattices differ, and finds points that belong to a coarser one.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/lattice/believe.h"

#include <algorithm>
#include <climits>
#include <cstdint>

namespace sluice::crystal {
namespace {

using stem4d::LatticeBasis;

constexpr double as_little = 0.02;

// All pairs of sums with small factors that span the same lattice and have the same hand.
template <class Work>
void for_all_names(Work const& work) {
    constexpr int most = 2;
    for (int i = -most; i <= most; ++i)
        for (int j = -most; j <= most; ++j)
            for (int k = -most; k <= most; ++k)
                for (int l = -most; l <= most; ++l)
                    if (i * l - j * k == 1)
                        work(Matrix2{static_cast<double>(i), static_cast<double>(j),
                                     static_cast<double>(k), static_cast<double>(l)});
}

// How many points have each pair of rests (h, k) modulo p, as [p][p].
template <int p>
std::array<index, std::size_t{p * p}> rests_of(std::span<std::array<int, 2> const> points) {
    std::array<index, std::size_t{p * p}> counts{};
    for (auto const& [h, k] : points)
        ++counts[static_cast<std::size_t>((h % p + p) % p * p + (k % p + p) % p)];
    return counts;
}

// Whether 17 of 20 points have the same u h + v k modulo p, for some u and v, where chance puts so
// many together in one case of twenty at most.
template <int p>
bool on_each(std::span<std::array<int, 2> const> points) {
    auto const n = std::ssize(points);
    // From so many on (p + 1) p^(1 - 0.85 n) is below 0.05.
    constexpr index least = p == 2 ? 9 : p == 3 ? 6 : 5;
    if (n < least) return false;
    auto const rests = rests_of<p>(points);
    for (int way = 0; way <= p; ++way) {
        int const u = way == p ? 0 : 1, v = way == p ? 1 : way;
        std::array<index, p> classes{};
        for (int h = 0; h < p; ++h)
            for (int k = 0; k < p; ++k) {
                int const at = h * p + k;
                classes[static_cast<std::size_t>((u * h + v * k) % p)] +=
                    rests[static_cast<std::size_t>(at)];
            }
        if (20 * *std::ranges::max_element(classes) >= 17 * n) return true;
    }
    return false;
}

}  // namespace

Change change_of(LatticeBasis const& from, LatticeBasis const& to) {
    Matrix2 const m = columns_of(to) * columns_of(from).inverse();
    // Singular values of two rows and columns: sum and difference by the parts that turn and
    // mirror.
    double const turns = std::hypot(m.rr + m.cc, m.cr - m.rc),
                 mirrors = std::hypot(m.rr - m.cc, m.cr + m.rc);
    return {std::max(std::abs((turns + mirrors) / 2 - 1), std::abs((turns - mirrors) / 2 - 1)),
            std::abs(std::atan2(m.cr - m.rc, m.rr + m.cc))};
}

LatticeBasis with_vectors(LatticeBasis const& l, Matrix2 const& sums) {
    Matrix2 const v = columns_of(l) * sums;
    return {l.origin, {v.rr, v.cr}, {v.rc, v.cc}};
}

Named nearest_vectors(LatticeBasis const& from, LatticeBasis const& to) {
    Named own{.change = change_of(from, to)};
    if (own.change.stretch <= as_little && own.change.angle <= 0.25) return own;
    Named near{.change = {1e9, 0}}, far = near;
    if (own.change.angle <= most_turn) near = own;
    for_all_names([&](Matrix2 const& sums) {
        Change const change = change_of(from, with_vectors(to, sums));
        Named& best = change.angle <= most_turn ? near : far;
        bool const less = change.stretch < best.change.stretch - as_little,
                   equal = change.stretch <= best.change.stretch + as_little / 10;
        if (less || (equal && change.angle < best.change.angle - 1e-3))
            best = {.sums = sums, .change = change};
    });
    return 2 * far.change.stretch < near.change.stretch ? far : near;
}

bool on_a_part(std::span<std::array<int, 2> const> points) {
    return on_each<2>(points) || on_each<3>(points) || on_each<5>(points);
}

// Points of a pattern lie close together: each has its bit. Sorting them would take as long as the
// fit itself.
index shared_points(std::span<std::array<int, 2>> points) {
    std::array<int, 2> low{INT_MAX, INT_MAX}, high{INT_MIN, INT_MIN};
    for (auto const& p : points)
        for (std::size_t i = 0; i < 2; ++i)
            low[i] = std::min(low[i], p[i]), high[i] = std::max(high[i], p[i]);
    constexpr std::int64_t side = 64;
    if (points.empty() || std::int64_t{high[0]} - low[0] >= side ||
        std::int64_t{high[1]} - low[1] >= side) {
        std::ranges::sort(points);
        return points.end() - std::unique(points.begin(), points.end());
    }
    std::array<std::uint64_t, side> seen{};
    index shared = 0;
    for (auto const& p : points) {
        std::uint64_t& row = seen[static_cast<std::size_t>(p[0] - low[0])];
        std::uint64_t const bit = std::uint64_t{1} << (p[1] - low[1]);
        shared += (row & bit) != 0;
        row |= bit;
    }
    return shared;
}

}  // namespace sluice::crystal
