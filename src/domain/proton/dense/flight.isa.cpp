// One energy and one angle of a dense step: loops over x, which the compiler turns into vectors.
// SPDX-License-Identifier: Apache-2.0
#include <type_traits>

#include "domain/proton/dense/kernels.h"

namespace sluice::proton::dense::SLUICE_ISA {
namespace {

template <class Real, bool alike>
[[gnu::noinline]] void scatter_line(Real* __restrict below, Real const* __restrict own,
                                    Real const* __restrict above, Real p,
                                    Real const* __restrict parts, index n, Real* __restrict out,
                                    Real* __restrict sum) {
    for (index x = 0; x < n; ++x) {
        Real const f = own[x], part = alike ? p : p * parts[x];
        Real const s = f - 2 * (part * f) + part * below[x] + part * above[x];
        out[x] = s;
        sum[x] += s;
        below[x] = f;
    }
}

template <class Real>
void scatter(Real* below, Real const* own, Real const* above, Real p, Real const* parts,
             index columns, index low, index high, Padded<Real> out, Real* sum) {
    for (index z = low; z < high; ++z) {
        index const at = z * columns;
        if (parts)
            scatter_line<Real, false>(below + at, own + at, above + at, p, parts + at, columns,
                                      out.origin + z * out.line, sum);
        else
            scatter_line<Real, true>(below + at, own + at, above + at, p, nullptr, columns,
                                     out.origin + z * out.line, sum);
    }
}

// Parts of the four cells that a cell gets from: [z][x], the later ones first.
template <class Real>
struct Four {
    Real near, left, before, both;
};

template <class Real>
Four<Real> four(Shift const& z, Shift const& x) {
    return {static_cast<Real>((1 - z.part) * (1 - x.part)),
            static_cast<Real>((1 - z.part) * x.part), static_cast<Real>(z.part * (1 - x.part)),
            static_cast<Real>(z.part * x.part)};
}

// The line that lands on z + z.whole is `near` that of z and else that before; the one to the left
// of x is before it in memory.
template <class Real, bool assign, int count>
[[gnu::noinline]] void fly_line(Real const* __restrict near, Real const* __restrict before,
                                Four<Real> const w, Real* __restrict a, Real* __restrict b,
                                Real* __restrict c, Real* __restrict d, Real pa, Real pb, Real pc,
                                Real pd, Real* __restrict deposit, Real energy,
                                Real* __restrict sum, index n) {
    for (index x = 0; x < n; ++x) {
        Real const f = (w.near * near[x] + w.left * near[x - 1]) +
                       (w.before * before[x] + w.both * before[x - 1]);
        sum[x] += f;
        deposit[x] += energy * f;
        a[x] = assign ? pa * f : a[x] + pa * f;
        if constexpr (count > 1) b[x] += pb * f;
        if constexpr (count > 2) c[x] += pc * f;
        if constexpr (count > 3) d[x] += pd * f;
    }
}

template <class Real, bool assign, int count>
void fly_lines(Padded<Real> from, Flight<Real> const& s) {
    Four<Real> const w = four<Real>(s.z, s.x);
    for (index z = s.low; z < s.high; ++z) {
        Real const* const near = from.origin + (z - s.z.whole) * from.line - s.x.whole;
        index const at = z * s.columns;
        auto const plane = [&](int k) { return k < count ? s.to[k].plane + at : nullptr; };
        fly_line<Real, assign, count>(near, near - from.line, w, plane(0), plane(1), plane(2),
                                      plane(3), s.to[0].part, s.to[1].part, s.to[2].part,
                                      s.to[3].part, s.deposit + at, s.energy, s.sum, s.columns);
    }
}

template <class Real>
void fly(Padded<Real> from, Flight<Real> const& s) {
    auto const with = [&](auto count) {
        constexpr int n = decltype(count)::value;
        s.to[0].assign ? fly_lines<Real, true, n>(from, s) : fly_lines<Real, false, n>(from, s);
    };
    switch (s.count) {
        case 1:
            return with(std::integral_constant<int, 1>());
        case 2:
            return with(std::integral_constant<int, 2>());
        case 3:
            return with(std::integral_constant<int, 3>());
        default:
            return with(std::integral_constant<int, 4>());
    }
}

template <class Real>
[[gnu::noinline]] void land_line(Real const* __restrict near, Real const* __restrict before,
                                 Four<Real> const w, Real* __restrict out, Real* __restrict sum,
                                 index n) {
    for (index x = 0; x < n; ++x) {
        Real const f = (w.near * near[x] + w.left * near[x - 1]) +
                       (w.before * before[x] + w.both * before[x - 1]);
        out[x] = f;
        sum[x] += f;
    }
}

template <class Real>
void land(Padded<Real> from, Flight<Real> const& s, Real* out) {
    Four<Real> const w = four<Real>(s.z, s.x);
    for (index z = s.low; z < s.high; ++z) {
        Real const* const near = from.origin + (z - s.z.whole) * from.line - s.x.whole;
        land_line(near, near - from.line, w, out + z * s.columns, s.sum, s.columns);
    }
}

template <class Real>
[[gnu::noinline]] void give_lines(Real const* __restrict from, Real* __restrict to, Real part,
                                  Real const* __restrict where, index n) {
    for (index x = 0; x < n; ++x) to[x] += part * where[x] * from[x];
}

template <class Real>
void give(Real const* from, Mask<Real> const& m, index columns, index low, index high) {
    index const at = low * columns;
    give_lines(from + at, m.plane + at, m.part, m.where + at, (high - low) * columns);
}

}  // namespace

Kernels<float> dense_f32() {
    return {scatter<float>, fly<float>, land<float>, give<float>};
}
Kernels<double> dense_f64() {
    return {scatter<double>, fly<double>, land<double>, give<double>};
}

}  // namespace sluice::proton::dense::SLUICE_ISA
