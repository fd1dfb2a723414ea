// The operators of a step: loops over x, which the compiler turns into vectors.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/marching/kernels.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "domain/proton/marching/hold.h"
#include "domain/proton/marching/vector.h"

namespace sluice::proton::marching::SLUICE_ISA {
namespace {

// A few columns of all angles, the neighbours in registers. `weight` gets what they have then.
template <class Real>
void scatter_columns(Sheet<Real> const& s, Real* line, Real const* parts, int passes, Real* weight,
                     Real* low, Real* high) {
    V<Real> const p = load(parts);
    V<Real> sum{};
    for (int pass = 0; pass < passes; ++pass) {
        V<Real> below{}, own = load(line);
        sum = V<Real>{};
        save<Real>(load(low) + p * own, low);
        for (index j = 0; j + 1 < s.angles; ++j) {
            Real* const at = line + j * s.line;
            V<Real> const above = load(at + s.line);
            V<Real> const now = own - 2 * (p * own) + p * below + p * above;
            sum += now;
            save<Real>(now, at);
            below = own;
            own = above;
        }
        save<Real>(load(high) + p * own, high);
        V<Real> const now = own - 2 * (p * own) + p * below;
        sum += now;
        save<Real>(now, line + (s.angles - 1) * s.line);
    }
    if (passes == 0)
        for (index j = 0; j < s.angles; ++j) sum += load(line + j * s.line);
    save<Real>(sum, weight);
}

template <class Real>
void scatter(Sheet<Real> const& s, index row, Real const* p, int passes, Real* sum, Leak& leak) {
    Real low[lanes] = {}, high[lanes] = {};
    // Added up by place in sixteen, whatever the registers are: the same on every instruction set.
    for (index x = 0; x < s.width; x += width_of<Real>)
        scatter_columns(s, s.at(row, 0) + x, p + x, passes, sum + x, low + x % lanes,
                        high + x % lanes);
    for (index k = 0; k < lanes; ++k) {
        leak.low += static_cast<double>(low[k]);
        leak.high += static_cast<double>(high[k]);
    }
}

template <bool right, class Real>
void fluxes(Real const* f, index width, Real const* w, Hold<Real> const& hold, Real* flux) {
    Real const w0 = w[0], w1 = w[1], w2 = w[2], w3 = w[3], w4 = w[4];
    auto const around = [&](index i) {
        return right ? Around<Real>{f[i - 2], f[i - 1], f[i], f[i + 1], f[i + 2]}
                     : Around<Real>{f[i + 2], f[i + 1], f[i], f[i - 1], f[i - 2]};
    };
    // Most of a beam is smooth, and has fluxes that need no holding.
    for (index begin = 0; begin < width; begin += lanes) {
        index const past = std::min(begin + lanes, width);
        int steep = 0;
        for (index i = begin; i < past; ++i) {
            Real const sum =
                w0 * f[i - 2] + w1 * f[i - 1] + w2 * f[i] + w3 * f[i + 1] + w4 * f[i + 2];
            steep |= is_steep(sum, around(i), hold);
            flux[i] = sum;
        }
        if (steep)
            for (index i = begin; i < past; ++i) flux[i] = held(flux[i], around(i), hold);
        else
            for (index i = begin; i < past; ++i) flux[i] = within(flux[i], f[i]);
    }
}

template <class Real>
Leak drift_line(Real const* from, Real* line, index width, bool right, index whole, Real const* w,
                Hold<Real> const& hold, Real* f, Real* flux) {
    Leak leak;
    std::copy(from, from + width, f);
    if (right)
        fluxes<true>(f, width, w, hold, flux);
    else
        fluxes<false>(f, width, w, hold, flux);
    // What stays goes `whole` places, what leaves one more.
    auto const out = [&](index from, index past) {
        double sum = 0;
        for (index i = from; i < past; ++i) sum += static_cast<double>(f[i]);
        return sum;
    };
    if (right) {
        index const edge = std::max<index>(0, width - whole);
        leak.high = out(edge, width) + (edge > 0 ? static_cast<double>(flux[edge - 1]) : 0.0);
        std::fill(line, line + std::min(whole, width), Real(0));
        if (edge > 0) line[whole] = f[0] - flux[0];
        for (index i = 1; i < edge; ++i) line[i + whole] = f[i] - flux[i] + flux[i - 1];
    } else {
        index const edge = std::min(whole, width);
        leak.low = out(0, edge) + (edge < width ? static_cast<double>(flux[edge]) : 0.0);
        for (index i = edge; i + 1 < width; ++i) line[i - whole] = f[i] - flux[i] + flux[i + 1];
        if (edge < width) line[width - 1 - whole] = f[width - 1] - flux[width - 1];
        std::fill(line + width - edge, line + width, Real(0));
    }
    return leak;
}

template <class Real>
void drift(Real const* from, index step, Real* lines, index count, index stride, index width,
           double shift, Leak* leaks, Real* scratch) {
    std::fill(leaks, leaks + count, Leak());
    if (shift == 0) {
        for (index i = 0; i < count; ++i) std::copy_n(from + i * step, stride, lines + i * stride);
        return;
    }
    bool const right = shift > 0;
    double const size = std::abs(shift);
    auto const whole = static_cast<index>(std::min(size, static_cast<double>(width)));
    auto const hold = Hold<Real>::of(size - std::floor(size));
    std::array<double, 5> const part = leaving_parts(size - std::floor(size));
    Real w[5];  // from the left to the right
    for (int k = 0; k < 5; ++k)
        w[right ? k : 4 - k] = static_cast<Real>(part[static_cast<std::size_t>(k)]);
    Real* const f = scratch + 2;  // with two empty places at each side
    Real* const flux = f + width + 2;
    f[-2] = f[-1] = f[width] = f[width + 1] = 0;
    for (index i = 0; i < count; ++i) {
        Real* const line = lines + i * stride;
        leaks[i] = drift_line(from + i * step, line, width, right, whole, w, hold, f, flux);
        // No protons are behind the phantom's last column.
        std::fill(line + width, line + stride, Real(0));
    }
}

template <class Real>
void store(Real const* lines, index count, index stride, Real* to, index step, Real* sums) {
    for (index x = 0; x < stride; x += width_of<Real>) {
        V<Real> sum{};
        for (index i = 0; i < count; ++i) {
            V<Real> const f = load(lines + i * stride + x);
            save<Real>(f, to + i * step + x);
            sum += f;
        }
        save<Real>(sum, sums + x);
    }
}

// A few columns of one direction's lines, row after row; what concerns several rows stays in
// registers.
template <class Real>
struct Lines {
    Real* f;  ///< of the lowest row
    index rows, stride;
    V<Real> at(index i) const { return load(f + i * stride); }
    void put(index i, V<Real> const& v) const { save<Real>(v, f + i * stride); }
};

// Nuclear loss, if `nuclear` is not null, and a pass of straggling, if `straggling` is not.
template <class Real>
void settle(Lines<Real> const& lines, Real factor, Real const* nuclear, Real const* straggling,
            Rows<Real> const& w, Real* lost_weight, Real* lost_energy) {
    V<Real> const none{};
    V<Real> const loses = nuclear ? load(nuclear) * factor : none;
    V<Real> const spreads = straggling ? load(straggling) * factor : none;
    V<Real> weight{}, energy{}, below{};
    auto const left = [&](index i) {
        V<Real> const f = lines.at(i), lost = w.loss[i] * loses * f;
        weight += lost;
        energy += lost * w.energy[i];
        return f - lost;
    };
    // What falls to row i from rows that are not done yet.
    auto const fallen = [&](index i) {
        index const from = i + w.fall;
        if (w.fall == 0 || from >= lines.rows) return none;
        V<Real> const f = lines.at(from);
        return spreads * w.far[from] * (f - w.loss[from] * loses * f);
    };
    V<Real> own = left(0);
    for (index i = 0; i + 1 < lines.rows; ++i) {
        V<Real> const next = left(i + 1), up = spreads * w.up[i] * own;
        lines.put(i, own - (up + spreads * (w.down[i] + w.far[i]) * own) + below +
                         spreads * w.down[i + 1] * next + fallen(i));
        below = up;
        own = next;
    }
    index const last = lines.rows - 1;
    lines.put(last, own - spreads * (w.up[last] + w.down[last] + w.far[last]) * own + below);
    save<Real>(weight, lost_weight);
    save<Real>(energy, lost_energy);
}

// Of a row's content f, what would leave through one face when all moves by the part a of a row
// towards `ahead`, which is another part in each column: the integral of the parabola through three
// means (Filbet, Sonnendruecker and Bertrand 2001), which keeps the mean, the middle and the
// variance of what moves.
template <class Real>
[[gnu::always_inline]] inline V<Real> wanted(V<Real> const& f, V<Real> const& ahead,
                                             V<Real> const& behind, V<Real> const& a) {
    V<Real> const rest = (1 - a) * Real(1.0 / 6);
    return a * (f + rest * ((2 - a) * (ahead - f) + (1 + a) * (f - behind)));
}

// Between nothing and all of it, so that no cell becomes negative.
template <class Real>
[[gnu::always_inline]] inline V<Real> between(V<Real> const& flux, V<Real> const& f) {
    V<Real> const some = flux > 0 ? flux : V<Real>{};
    return some < f ? some : f;
}

// What is wanted of a row, and how much more than it can give.
template <class Real>
struct Wish {
    V<Real> held{}, over{};
    // With what the row behind cannot give, and what the row ahead should get back: rows of a beam
    // that is not spread would lose a part of their way.
    [[gnu::always_inline]] V<Real> leaving(V<Real> const& f, V<Real> const& over_behind,
                                           V<Real> const& over_ahead) const {
        V<Real> const none{};
        return between<Real>(
            held + (over_behind > 0 ? over_behind : none) + (over_ahead < 0 ? over_ahead : none),
            f);
    }
};

// All rows go down by `whole` of them, to where they have other energies after the step, and then
// by a part of one more. If `dropped` is below 0, none have gone and none have changed.
template <class Real>
void fall(Lines<Real> const& lines, Real factor, index whole, index dropped, Real told, Real part,
          Columns<Real> const& c, Rows<Real> const& w, Real* deposited, Real* stopped) {
    V<Real> const shift = load(c.shift), bend = load(c.bend);
    V<Real> deposit = load(deposited), ended = load(stopped);
    V<Real> low{}, high{}, above{}, out{}, over_low{};
    Wish<Real> wish_high{}, wish_above{};
    index const rows = lines.rows;
    auto const moves = [&](index m) -> V<Real> {
        return ((shift + bend * w.bend[m]) * factor - told) * part;
    };
    for (index i = 0; i < whole && i < rows; ++i) {
        V<Real> const f = lines.at(i);
        deposit += f * w.energy[i];
        ended += f;
    }
    // Row m of those that fell is done when the three above it are known.
    for (index m = -3; m < rows; ++m) {
        V<Real> far{};
        index const from = m + 3 + whole;
        if (from < rows) {
            far = lines.at(from);
            if (dropped >= 0)
                deposit += far * (w.drop[from] + (w.after[from - dropped] - w.after[from - whole]));
        }
        wish_above = {};
        if (m + 2 >= 0 && m + 2 < rows) {
            V<Real> const flux = wanted<Real>(above, high, far, moves(m + 2));
            wish_above.held = between<Real>(flux, above);
            wish_above.over = flux - wish_above.held;
        }
        V<Real> const in = wish_high.leaving(high, wish_above.over, over_low);
        if (m + 1 == 0) {
            deposit += in * w.after[0];
            ended += in;
        } else if (m + 1 > 0 && m + 1 < rows) {
            deposit += in * (w.after[m + 1] - w.after[m]);
        }
        if (m >= 0) lines.put(m, low - out + in);
        out = in;
        over_low = wish_high.over;
        low = high;
        high = above;
        above = far;
        wish_high = wish_above;
    }
    save<Real>(deposit, deposited);
    save<Real>(ended, stopped);
}

template <class Real>
void add(Real const* from, double* to) {
    for (index k = 0; k < width_of<Real>; ++k) to[k] += static_cast<double>(from[k]);
}

template <class Real>
void slow(Real* f, index rows, index stride, Real factor, Cut const& cut, Columns<Real> const& c,
          Rows<Real> const& w, Tallies const& t) {
    for (index x = 0; x < stride; x += width_of<Real>) {
        Lines<Real> const lines{f + x, rows, stride};
        constexpr index n = width_of<Real>;
        Real weight[n], energy[n], none[n], deposit[n] = {}, stopped[n] = {};
        settle(lines, factor, c.nuclear + x, cut.straggling > 0 ? c.straggling + x : nullptr, w,
               weight, energy);
        for (int k = 1; k < cut.straggling; ++k)
            settle<Real>(lines, factor, nullptr, c.straggling + x, w, none, none);
        Columns<Real> const here{c.shift + x, c.bend + x, nullptr, nullptr};
        auto const told = static_cast<Real>(static_cast<double>(cut.whole) + cut.carried);
        index const dropped = cut.whole > 0 || cut.carried != 0 ? cut.dropped : -1;
        Real const part = Real(1) / static_cast<Real>(cut.slowing);
        for (int k = 0; k < cut.slowing; ++k)
            fall(lines, factor, k == 0 ? cut.whole : 0, k == 0 ? dropped : -1, told, part, here, w,
                 deposit, stopped);
        add(weight, t.nuclear_weight + x);
        add(energy, t.nuclear_energy + x);
        add(deposit, t.deposit + x);
        add(stopped, t.stopped + x);
    }
}

}  // namespace

Kernels<float> kernels_f32() {
    return {scatter<float>, drift<float>, slow<float>, store<float>};
}
Kernels<double> kernels_f64() {
    return {scatter<double>, drift<double>, slow<double>, store<double>};
}

}  // namespace sluice::proton::marching::SLUICE_ISA
