// The operators of a step: loops over x, which the compiler turns into vectors.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/marching/kernels.h"

#include <algorithm>
#include <cmath>

namespace sluice::proton::marching::SLUICE_ISA {
namespace {

// Of a row's content f, what leaves through one face when all moves by the part a of a row towards
// `ahead`, which is another part in each column: the integral of the parabola through three means
// (Filbet, Sonnendruecker and Bertrand 2001), which keeps the mean, the middle and the variance of
// what moves. Held between nothing and everything, so that no cell becomes negative.
template <class Real>
[[gnu::always_inline]] inline Real leaving(Real f, Real ahead, Real behind, Real a) {
    Real const rest = (1 - a) * Real(1.0 / 6);
    Real const flux = a * (f + rest * ((2 - a) * (ahead - f) + (1 + a) * (f - behind)));
    Real const some = flux > 0 ? flux : Real(0);
    return some < f ? some : f;
}

template <class Real>
void scatter(Sheet<Real> const& s, index row, Real const* p, int passes, Real* sum, Leak& leak,
             Real* scratch) {
    index const n = s.width;
    for (int pass = 0; pass < passes; ++pass) {
        Real* __restrict below = scratch;  // the line before, as it was
        std::fill(scratch, scratch + n, Real(0));
        Real const* const first = s.at(row, 0);
        Real const* const last = s.at(row, s.angles - 1);
        for (index x = 0; x < n; ++x) {
            leak.low += static_cast<double>(p[x] * first[x]);
            leak.high += static_cast<double>(p[x] * last[x]);
        }
        for (index j = 0; j < s.angles; ++j) {
            Real* __restrict line = s.at(row, j);
            Real const* __restrict parts = p;
            if (j + 1 == s.angles) {
                for (index x = 0; x < n; ++x) line[x] += parts[x] * (below[x] - 2 * line[x]);
                break;
            }
            Real const* __restrict above = s.at(row, j + 1);
            for (index x = 0; x < n; ++x) {
                Real const f = line[x];
                line[x] = f - 2 * (parts[x] * f) + parts[x] * below[x] + parts[x] * above[x];
                below[x] = f;
            }
        }
    }
    std::fill(sum, sum + n, Real(0));
    for (index j = 0; j < s.angles; ++j) {
        Real const* const line = s.at(row, j);
        for (index x = 0; x < n; ++x) sum[x] += line[x];
    }
}

// What leaves a cell when all moves by the part a of one: weights of the cell and of two at each
// side, [4] the farthest ahead. They are those of the fifth-degree polynomial through the sums of
// cells up to six faces, so that mean and variance (and two moments more) move just as they must.
struct Five {
    double w[5];
};

Five five(double a) {
    // Lagrange's polynomials of the faces -3 .. 2, counted from the one things leave through.
    double l[6];
    for (int m = 0; m < 6; ++m) {
        l[m] = 1;
        for (int q = 0; q < 6; ++q)
            if (q != m) l[m] *= (-a - (q - 3)) / (m - q);
    }
    return {{l[0], l[0] + l[1], l[0] + l[1] + l[2], -(l[4] + l[5]), -l[5]}};
}

template <class Real>
Leak drift_line(Real* line, index width, bool right, index whole, Real const* w, Real* f,
                Real* flux) {
    Leak leak;
    std::copy(line, line + width, f);
    Real const w0 = w[0], w1 = w[1], w2 = w[2], w3 = w[3], w4 = w[4];
    // Held between nothing and everything, so that no cell becomes negative.
    for (index i = 0; i < width; ++i) {
        Real const sum = w0 * f[i - 2] + w1 * f[i - 1] + w2 * f[i] + w3 * f[i + 1] + w4 * f[i + 2];
        Real const some = sum > 0 ? sum : Real(0);
        flux[i] = some < f[i] ? some : f[i];
    }
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
void drift(Real* lines, index count, index stride, index width, double shift, Leak* leaks,
           Real* scratch) {
    std::fill(leaks, leaks + count, Leak());
    if (shift == 0) return;
    bool const right = shift > 0;
    double const size = std::abs(shift);
    auto const whole = static_cast<index>(std::min(size, static_cast<double>(width)));
    Five const part = five(size - std::floor(size));
    Real w[5];  // from the left to the right
    for (int k = 0; k < 5; ++k) w[right ? k : 4 - k] = static_cast<Real>(part.w[k]);
    Real* const f = scratch + 2;  // with two empty places at each side
    Real* const flux = f + width + 2;
    f[-2] = f[-1] = f[width] = f[width + 1] = 0;
    for (index i = 0; i < count; ++i)
        leaks[i] = drift_line(lines + i * stride, width, right, whole, w, f, flux);
}

template <class Real>
void store(Real const* lines, index count, index stride, Real* to, index step, Real* sums) {
    Real* __restrict sum = sums;
    std::fill(sums, sums + stride, Real(0));
    for (index i = 0; i < count; ++i) {
        Real const* __restrict line = lines + i * stride;
        Real* __restrict out = to + i * step;
        for (index x = 0; x < stride; ++x) {
            out[x] = line[x];
            sum[x] += line[x];
        }
    }
}

// What lies in two arrays is never the same: the compiler may do several x at once.
template <class Real>
using Out = Real* __restrict;
template <class Real>
using In = Real const* __restrict;

template <class Real>
void nuclear(Real* lines, index rows, index n, Real factor, Columns<Real> const& c,
             Rows<Real> const& w, Tallies const& t, Real* scratch) {
    Out<Real> energy = scratch;
    Out<Real> weight = scratch + n;
    In<Real> ratio = c.nuclear;
    std::fill(scratch, scratch + 2 * n, Real(0));
    for (index i = 0; i < rows; ++i) {
        Out<Real> f = lines + i * n;
        Real const part = w.loss[i] * factor, e = w.energy[i];
        if (part == 0) continue;
        for (index x = 0; x < n; ++x) {
            Real const lost = part * ratio[x] * f[x];
            f[x] -= lost;
            weight[x] += lost;
            energy[x] += lost * e;
        }
    }
    for (index x = 0; x < n; ++x) {
        t.nuclear_weight[x] += static_cast<double>(weight[x]);
        t.nuclear_energy[x] += static_cast<double>(energy[x]);
    }
}

template <class Real>
void collide(Real* lines, index rows, index n, Real factor, Columns<Real> const& c,
             Rows<Real> const& w, Real* deposited, Real* stopped) {
    Out<Real> deposit = deposited;
    In<Real> ratio = c.nuclear;
    // Upwards, so that nothing falls twice.
    for (index i = 0; i < rows; ++i)
        for (int k = 0; k < 2; ++k) {
            Real const part = w.falls[i].part[k] * factor;
            index const to = i - w.falls[i].rows[k];
            // One that falls no whole row stays where it is.
            if (part == 0 || to == i) continue;
            Real const step = w.energy[i] - (to < 0 ? Real(0) : w.energy[to]);
            Out<Real> from = lines + i * n;
            Out<Real> low = to < 0 ? stopped : lines + to * n;
            for (index x = 0; x < n; ++x) {
                Real const moved = part * ratio[x] * from[x];
                from[x] -= moved;
                low[x] += moved;
                deposit[x] += moved * step;
            }
        }
}

template <class Real>
void straggle(Real* lines, index rows, index n, Real factor, Columns<Real> const& c,
              Rows<Real> const& w, Real* scratch) {
    Out<Real> below = scratch;  // the row before, as it was, times its part that goes up
    In<Real> ratio = c.straggling;
    std::fill(scratch, scratch + n, Real(0));
    for (index i = 0; i < rows; ++i) {
        Out<Real> f = lines + i * n;
        Real const up = w.up[i] * factor, down = w.down[i] * factor;
        if (i + 1 == rows) {
            for (index x = 0; x < n; ++x) f[x] += below[x] - ratio[x] * (up + down) * f[x];
            break;
        }
        In<Real> next = f + n;
        Real const fall = w.down[i + 1] * factor;
        for (index x = 0; x < n; ++x) {
            Real const k = ratio[x], own = f[x];
            f[x] = own - k * (up + down) * own + below[x] + k * fall * next[x];
            below[x] = k * up * own;
        }
    }
}

// One row's part of slow_rest(): out[x] has left it, and what leaves the next one comes in. A
// function of its own, since only of parameters the compiler believes that they do not overlap.
template <class Real>
[[gnu::noinline]] void slow_row(Real* __restrict f, Real const* __restrict next,
                                Real const* __restrict over, Real const* __restrict shift,
                                Real const* __restrict bends, Real* __restrict out,
                                Real* __restrict deposit, index n, Real factor, Real whole,
                                Real part, Real bend, Real step) {
    for (index x = 0; x < n; ++x) {
        Real const a = ((shift[x] + bends[x] * bend) * factor - whole) * part;
        Real const in = leaving(next[x], f[x], over[x], a);
        f[x] = f[x] - out[x] + in;
        deposit[x] += in * step;
        out[x] = in;
    }
}

template <class Real>
void slow_rest(Real* lines, index rows, index n, Real factor, Real whole, Real part,
               Columns<Real> const& c, Rows<Real> const& w, Real* deposit, Real* stopped,
               Real* scratch) {
    Real* const nothing = scratch;
    Real* const out = scratch + n;
    std::fill(nothing, nothing + n, Real(0));
    // What leaves the lowest row; then, row by row, what the next one gives.
    for (index x = 0; x < n; ++x) {
        Real const a = ((c.shift[x] + c.bend[x] * w.bend[0]) * factor - whole) * part;
        Real const over = rows > 1 ? lines[n + x] : Real(0);
        out[x] = leaving(lines[x], Real(0), over, a);
        deposit[x] += out[x] * w.energy[0];
        stopped[x] += out[x];
    }
    for (index i = 0; i + 1 < rows; ++i) {
        Real* const f = lines + i * n;
        slow_row(f, f + n, i + 2 < rows ? f + 2 * n : nothing, c.shift, c.bend, out, deposit, n,
                 factor, whole, part, w.bend[i + 1], w.energy[i + 1] - w.energy[i]);
    }
    Real* const last = lines + (rows - 1) * n;
    for (index x = 0; x < n; ++x) last[x] -= out[x];
}

template <class Real>
void slow(Real* lines, index rows, index n, Real factor, Cut const& cut, Columns<Real> const& c,
          Rows<Real> const& w, Tallies const& t, Real* scratch) {
    nuclear(lines, rows, n, factor, c, w, t, scratch);
    for (int k = 0; k < cut.straggling; ++k) straggle(lines, rows, n, factor, c, w, scratch);
    Out<Real> deposit = scratch;
    Out<Real> stopped = scratch + n;
    std::fill(scratch, scratch + 2 * n, Real(0));
    if (w.falls) {
        collide(lines, rows, n, factor, c, w, scratch, stopped);
        for (index x = 0; x < n; ++x) t.collided[x] += static_cast<double>(deposit[x]);
        std::fill(scratch, scratch + n, Real(0));
    }
    index const whole = std::min(cut.whole, rows);
    for (index i = 0; i < rows && whole > 0; ++i) {
        In<Real> f = lines + i * n;
        Real const step = w.energy[i] - (i >= whole ? w.energy[i - whole] : Real(0));
        for (index x = 0; x < n; ++x) deposit[x] += f[x] * step;
        if (i < whole)
            for (index x = 0; x < n; ++x) stopped[x] += f[x];
        else
            std::copy(f, f + n, lines + (i - whole) * n);
    }
    if (whole > 0) std::fill(lines + (rows - whole) * n, lines + rows * n, Real(0));
    for (int k = 0; k < cut.slowing; ++k)
        slow_rest(lines, rows, n, factor, static_cast<Real>(cut.whole),
                  Real(1) / static_cast<Real>(cut.slowing), c, w, deposit, stopped,
                  scratch + 2 * n);
    for (index x = 0; x < n; ++x) {
        t.deposit[x] += static_cast<double>(deposit[x]);
        t.stopped[x] += static_cast<double>(stopped[x]);
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
