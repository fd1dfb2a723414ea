// One energy and one angle of a dense step: loops over x, which the compiler turns into vectors.
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstring>
#include <type_traits>

#include "domain/proton/dense/kernels.h"

namespace sluice::proton::dense::SLUICE_ISA {
namespace {

// A line goes in pieces of 64 bytes and then of half as many, down to one number: what its columns
// sum to stays in registers over all planes, the same on every instruction set.
template <class Real>
inline constexpr int widest = 64 / static_cast<int>(sizeof(Real));
template <class Real, int width>
struct Piece {
    typedef Real Type __attribute__((vector_size(width * sizeof(Real))));
};
template <class Real>
struct Piece<Real, 1> {
    typedef Real Type;
};
template <class Real, int width>
using V = typename Piece<Real, width>::Type;

template <class Real, int width>
[[gnu::always_inline]] inline V<Real, width> load(Real const* from) {
    V<Real, width> v;
    std::memcpy(&v, from, sizeof(v));
    return v;
}
template <int width, class Real>
[[gnu::always_inline]] inline void save(V<Real, width> const& v, Real* to) {
    std::memcpy(to, &v, sizeof(v));
}

// work(width, x) for every piece of a line.
template <class Real, int width = widest<Real>, class Work>
[[gnu::always_inline]] inline void pieces(index columns, index x, Work const& work) {
    for (; x + width <= columns; x += width) work(std::integral_constant<int, width>(), x);
    if constexpr (width > 1) pieces<Real, width / 2>(columns, x, work);
}

template <class Real, bool alike, int width>
[[gnu::noinline]] void scatter_piece(Real* below, Real const* own, Real const* above, Real p,
                                     Real const* parts, Real const* ahead, index columns,
                                     index planes, Padded<Real> out, Real* sum) {
    using Numbers = V<Real, width>;
    Numbers all{}, part = all + p;
    for (index z = 0; z < planes; ++z) {
        index const at = z * columns;
        // Half of a plane here and half in flight: all at once, requests wait for each other.
        __builtin_prefetch(ahead + z * width / 2, 0, 2);
        Numbers const f = load<Real, width>(own + at), b = load<Real, width>(below + at),
                      a = load<Real, width>(above + at);
        if constexpr (!alike) part = p * load<Real, width>(parts + at);
        Numbers const s = f - 2 * (part * f) + part * b + part * a;
        save<width>(s, out.origin + z * out.line);
        all += s;
        save<width>(f, below + at);
    }
    save<width>(all, sum);
}

template <class Real>
void scatter(Scattering<Real> const& s, Padded<Real> out, Real* sum) {
    index const first = s.low * s.columns, planes = s.high - s.low;
    pieces<Real>(s.columns, 0, [&](auto width, index x) {
        constexpr int n = decltype(width)::value;
        index const at = first + x;
        Real const* const ahead = s.ahead + x * planes / 2;
        Padded<Real> const to{out.origin + s.low * out.line + x, out.line};
        if (s.parts)
            scatter_piece<Real, false, n>(s.below + at, s.own + at, s.above + at, s.p, s.parts + at,
                                          ahead, s.columns, planes, to, sum + x);
        else
            scatter_piece<Real, true, n>(s.below + at, s.own + at, s.above + at, s.p, nullptr,
                                         ahead, s.columns, planes, to, sum + x);
    });
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

// What lands on a piece of a line after the other: of the line that lands on z + z.whole and of
// that before it. The one to the left of x is before it in memory.
template <class Real, int width>
class Landed {
  public:
    Landed(Padded<Real> from, Flight<Real> const& s, index x)
        : w_(four<Real>(s.z, s.x)),
          from_(from.origin + (s.low - s.z.whole) * from.line - s.x.whole + x),
          line_(from.line),
          near_(load<Real, width>(from_ - line_)),
          left_(load<Real, width>(from_ - line_ - 1)) {}
    [[gnu::always_inline]] V<Real, width> next() {
        V<Real, width> const before = near_, both = left_;
        near_ = load<Real, width>(from_);
        left_ = load<Real, width>(from_ - 1);
        from_ += line_;
        return (w_.near * near_ + w_.left * left_) + (w_.before * before + w_.both * both);
    }

  private:
    Four<Real> w_;
    Real const* from_;
    index line_;
    V<Real, width> near_, left_;
};

template <class Real, bool assign, int count, int width>
[[gnu::noinline]] void fly_piece(Padded<Real> from, Flight<Real> const& s, index x) {
    using Numbers = V<Real, width>;
    Landed<Real, width> landed(from, s, x);
    Numbers sum{};
    // Copies, which no store to a plane can change.
    Real* const deposit = s.deposit;
    std::array<To<Real>, 4> const planes{s.to[0], s.to[1], s.to[2], s.to[3]};
    Real const energy = s.energy;
    Real const* ahead = s.ahead + x * (s.high - s.low) / 2;
    index const past = s.high * s.columns + x, columns = s.columns;
    index at = s.low * s.columns + x;
    auto const give = [&](auto k, Numbers const& f) {
        constexpr int to = decltype(k)::value;
        if constexpr (to < count) {
            Real* const plane = planes[to].plane + at;
            Numbers const part = planes[to].part * f;
            save<width>(assign && to == 0 ? part : load<Real, width>(plane) + part, plane);
        }
    };
    for (; at < past; at += columns) {
        __builtin_prefetch(ahead, 0, 2);
        ahead += width / 2;
        Numbers const f = landed.next();
        sum += f;
        save<width>(load<Real, width>(deposit + at) + energy * f, deposit + at);
        give(std::integral_constant<int, 0>(), f);
        give(std::integral_constant<int, 1>(), f);
        give(std::integral_constant<int, 2>(), f);
        give(std::integral_constant<int, 3>(), f);
    }
    save<width>(sum, s.sum + x);
}

template <class Real>
void fly(Padded<Real> from, Flight<Real> const& s) {
    auto const with = [&](auto count) {
        constexpr int n = decltype(count)::value;
        pieces<Real>(s.columns, 0, [&](auto width, index x) {
            constexpr int w = decltype(width)::value;
            s.to[0].assign ? fly_piece<Real, true, n, w>(from, s, x)
                           : fly_piece<Real, false, n, w>(from, s, x);
        });
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
void land(Padded<Real> from, Flight<Real> const& s, Real* out) {
    pieces<Real>(s.columns, 0, [&](auto width, index x) {
        constexpr int w = decltype(width)::value;
        Landed<Real, w> landed(from, s, x);
        V<Real, w> sum{};
        for (index z = s.low; z < s.high; ++z) {
            V<Real, w> const f = landed.next();
            save<w>(f, out + z * s.columns + x);
            sum += f;
        }
        save<w>(sum, s.sum + x);
    });
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
