// The operators of a step once more, slow and obviously right.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/marching/reference.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace sluice::proton::marching::reference {
namespace {

/// A copy to read from, in double, that is 0 outside.
class Lines {
  public:
    template <class Real>
    Lines(Real const* values, index count, index step, index width)
        : count_(count), width_(width), values_(static_cast<std::size_t>(count * width)) {
        for (index i = 0; i < count; ++i)
            for (index x = 0; x < width; ++x)
                values_[static_cast<std::size_t>(i * width + x)] =
                    static_cast<double>(values[i * step + x]);
    }
    double at(index i, index x) const {
        bool const inside = i >= 0 && i < count_ && x >= 0 && x < width_;
        return inside ? values_[static_cast<std::size_t>(i * width_ + x)] : 0;
    }

  private:
    index count_, width_;
    std::vector<double> values_;
};

// What lies in the part `a` before the face between cells[n / 2] and the next one, which all of it
// crosses in a step. The integral of the cells, known at their faces, is taken in between along
// the polynomial through all of these faces (Neville).
template <int n>
double wanted(double const (&cells)[n], double a) {
    double p[n + 1] = {};  // the integral up to face k, which lies at k - (n / 2 + 1)
    for (int k = 0; k < n; ++k) p[k + 1] = p[k] + cells[k];
    constexpr int face = n / 2 + 1;
    double const all = p[face], at = face - a;
    for (int order = 1; order <= n; ++order)
        for (int k = 0; k + order <= n; ++k)
            p[k] = ((at - k) * p[k + 1] + (k + order - at) * p[k]) / order;
    return all - p[0];
}

double minmod(double a, double b) {
    if (a > 0 && b > 0) return std::min(a, b);
    if (a < 0 && b < 0) return std::max(a, b);
    return 0;
}

// What leaves a cell of which the polynomial wants `asked`, along x: held to what keeps the content
// monotone where it has a step (Suresh and Huynh 1997, equations 2.12 to 2.30, with the part a of a
// cell for their Courant number). f is [-2 .. 2] around it, the cells ahead last.
double held(double asked, double const (&f)[5], double a) {
    if (a == 0) return 0;
    double const alpha = std::min(4.0, 1 / a - 1), value = asked / a;
    double const own = f[2], ahead = f[3], behind = f[1];
    auto const bend = [&](int k) { return f[k + 1] - 2 * f[k] + f[k - 1]; };
    auto const agreed = [&](double x, double y) {
        return minmod(minmod(4 * x - y, 4 * y - x), minmod(x, y));
    };
    double const monotone = own + minmod(ahead - own, alpha * (own - behind));
    double kept = value;
    if ((value - own) * (value - monotone) > 0) {
        double const steep = own + alpha * (own - behind);
        double const middle = (own + ahead) / 2 - agreed(bend(2), bend(3)) / 2;
        double const large = own + (own - behind) / 2 + 4.0 / 3 * agreed(bend(1), bend(2));
        double const low = std::max(std::min({own, ahead, middle}), std::min({own, steep, large}));
        double const high = std::min(std::max({own, ahead, middle}), std::max({own, steep, large}));
        kept = value + minmod(low - value, high - value);
    }
    return std::clamp(a * kept, 0.0, own);
}

// What leaves each cell of f, where so much is wanted of it: no more than it has. What is wanted of
// a cell that has too little is the content of the one ahead, and what one should get back is that
// of the one behind: these give it instead, so that the mean moves as it must where f is not
// smooth. `ahead` is 1 or -1.
std::vector<double> leaving(std::vector<double> const& wanted, std::vector<double> const& f,
                            index ahead) {
    auto const n = static_cast<index>(f.size());
    auto const held = [&](index i) {
        auto const k = static_cast<std::size_t>(i);
        return std::clamp(wanted[k], 0.0, f[k]);
    };
    auto const rest = [&](index i) {
        return i < 0 || i >= n ? 0.0 : wanted[static_cast<std::size_t>(i)] - held(i);
    };
    std::vector<double> out;
    for (index i = 0; i < n; ++i)
        out.push_back(
            std::clamp(held(i) + std::max(rest(i - ahead), 0.0) + std::min(rest(i + ahead), 0.0),
                       0.0, f[static_cast<std::size_t>(i)]));
    return out;
}

// g_j = f_j + p (f_{j-1} - 2 f_j + f_{j+1}), where nothing comes from outside.
template <class Real>
void scatter(Sheet<Real> const& s, index row, Real const* p, int passes, Real* sum, Leak& leak) {
    for (int pass = 0; pass < passes; ++pass) {
        Lines const f(s.at(row, 0), s.angles, s.line, s.width);
        for (index x = 0; x < s.width; ++x) {
            auto const part = static_cast<double>(p[x]);
            for (index j = 0; j < s.angles; ++j)
                s.at(row, j)[x] = static_cast<Real>(
                    f.at(j, x) + part * (f.at(j - 1, x) - 2 * f.at(j, x) + f.at(j + 1, x)));
            leak.low += part * f.at(0, x);
            leak.high += part * f.at(s.angles - 1, x);
        }
    }
    Lines const f(s.at(row, 0), s.angles, s.line, s.width);
    for (index x = 0; x < s.width; ++x) {
        double all = 0;
        for (index j = 0; j < s.angles; ++j) all += f.at(j, x);
        sum[x] = static_cast<Real>(all);
    }
}

// Of each cell, what leaves goes one place further than what stays.
template <class Real>
void drift(Real const* from, index step, Real* lines, index count, index stride, index width,
           double shift, Leak* leaks, Real*) {
    Lines const f(from, count, step, width);
    index const to = shift < 0 ? -1 : 1;
    auto const whole = static_cast<index>(std::min(std::abs(shift), static_cast<double>(width)));
    double const part = std::abs(shift) - std::floor(std::abs(shift));
    for (index i = 0; i < count; ++i) {
        leaks[i] = Leak();
        std::vector<double> moved(static_cast<std::size_t>(width));
        auto const put = [&](index x, double amount) {
            if (x < 0)
                leaks[i].low += amount;
            else if (x >= width)
                leaks[i].high += amount;
            else
                moved[static_cast<std::size_t>(x)] += amount;
        };
        for (index x = 0; x < width; ++x) {
            double const around[] = {f.at(i, x - 2 * to), f.at(i, x - to), f.at(i, x),
                                     f.at(i, x + to), f.at(i, x + 2 * to)};
            double const out = held(wanted(around, part), around, part);
            put(x + to * whole, f.at(i, x) - out);
            put(x + to * (whole + 1), out);
        }
        moved.resize(static_cast<std::size_t>(stride));
        for (index x = 0; x < stride; ++x)
            lines[i * stride + x] = static_cast<Real>(moved[static_cast<std::size_t>(x)]);
    }
}

/// One column of a direction's lines, from the row nearest to the end of range on.
struct Column {
    std::vector<double> f;
    double nuclear_weight = 0, nuclear_energy = 0, deposit = 0, stopped = 0;
    index rows() const { return static_cast<index>(f.size()); }
    double at(index i) const { return i >= 0 && i < rows() ? f[static_cast<std::size_t>(i)] : 0; }
    double& operator[](index i) { return f[static_cast<std::size_t>(i)]; }
};

/// Water's numbers of a row as doubles, and nothing below the lowest.
template <class Real>
struct Water {
    Rows<Real> const& rows;
    double energy(index i) const { return i < 0 ? 0 : static_cast<double>(rows.energy[i]); }
    double after(index i) const { return i < 0 ? 0 : static_cast<double>(rows.after[i]); }
    double up(index i) const { return static_cast<double>(rows.up[i]); }
    double down(index i) const { return static_cast<double>(rows.down[i]); }
    double far(index i) const { return rows.fall > 0 ? static_cast<double>(rows.far[i]) : 0; }
};

template <class Real>
void lose(Column& c, Rows<Real> const& rows, double path) {
    Water<Real> const w{rows};
    for (index i = 0; i < c.rows(); ++i) {
        double const lost = static_cast<double>(rows.loss[i]) * path * c.at(i);
        c[i] -= lost;
        c.nuclear_weight += lost;
        c.nuclear_energy += lost * w.energy(i);
    }
}

template <class Real>
void straggle(Column& c, Rows<Real> const& rows, double path) {
    Water<Real> const w{rows};
    Column const old = c;
    for (index i = 0; i < c.rows(); ++i) {
        c[i] -= path * (w.up(i) + w.down(i) + w.far(i)) * old.at(i);
        if (i > 0) c[i] += path * w.up(i - 1) * old.at(i - 1);
        if (i + 1 < c.rows()) c[i] += path * w.down(i + 1) * old.at(i + 1);
        if (index const from = i + rows.fall; rows.fall > 0 && from < c.rows())
            c[i] += path * w.far(from) * old.at(from);
    }
}

template <class Real>
void fall(Column& c, Rows<Real> const& rows, index whole, index dropped) {
    Water<Real> const w{rows};
    Column const old = c;
    std::fill(c.f.begin(), c.f.end(), 0.0);
    for (index i = 0; i < c.rows(); ++i) {
        double const more = w.after(i - dropped) - w.after(i - whole);
        c.deposit +=
            old.at(i) * (i < whole ? w.energy(i) : static_cast<double>(rows.drop[i]) + more);
        (i < whole ? c.stopped : c[i - whole]) += old.at(i);
    }
}

// `part` times the rows that row i moves beyond the whole ones.
template <class Real, class Part>
void fall_partly(Column& c, Rows<Real> const& rows, Part const& part) {
    Water<Real> const w{rows};
    std::vector<double> asked;
    for (index i = 0; i < c.rows(); ++i)
        asked.push_back(wanted<3>({c.at(i + 1), c.at(i), c.at(i - 1)}, part(i)));
    auto const leaves = leaving(asked, c.f, -1);
    for (index i = 0; i < c.rows(); ++i) {
        double const out = leaves[static_cast<std::size_t>(i)];
        c[i] -= out;
        (i == 0 ? c.stopped : c[i - 1]) += out;
        c.deposit += out * (w.after(i) - w.after(i - 1));
    }
}

template <class Real>
void slow(Real* lines, index rows, index stride, Real factor, Cut const& cut,
          Columns<Real> const& columns, Rows<Real> const& water, Tallies const& tallies) {
    auto const path = static_cast<double>(factor);
    for (index x = 0; x < stride; ++x) {
        Column c;
        for (index i = 0; i < rows; ++i) c.f.push_back(static_cast<double>(lines[i * stride + x]));
        auto const nuclear = static_cast<double>(columns.nuclear[x]);
        lose(c, water, path * nuclear);
        for (int k = 0; k < cut.straggling; ++k)
            straggle(c, water, path * static_cast<double>(columns.straggling[x]));
        fall(c, water, cut.whole, cut.dropped);
        for (int k = 0; k < cut.slowing; ++k)
            fall_partly(c, water, [&](index i) {
                double const all =
                    static_cast<double>(columns.shift[x]) +
                    static_cast<double>(columns.bend[x]) * static_cast<double>(water.bend[i]);
                return (all * path - static_cast<double>(cut.whole) - cut.carried) / cut.slowing;
            });
        for (index i = 0; i < rows; ++i) lines[i * stride + x] = static_cast<Real>(c.at(i));
        tallies.deposit[x] += c.deposit;
        tallies.stopped[x] += c.stopped;
        tallies.nuclear_weight[x] += c.nuclear_weight;
        tallies.nuclear_energy[x] += c.nuclear_energy;
    }
}

template <class Real>
void store(Real const* lines, index count, index stride, Real* to, index step, Real* sum) {
    for (index x = 0; x < stride; ++x) {
        double all = 0;
        for (index i = 0; i < count; ++i) {
            to[i * step + x] = lines[i * stride + x];
            all += static_cast<double>(lines[i * stride + x]);
        }
        sum[x] = static_cast<Real>(all);
    }
}

template <class Real>
constexpr Kernels<Real> kernels = {scatter<Real>, drift<Real>, slow<Real>, store<Real>};

}  // namespace

Kernels<float> const& kernels_f32() {
    return kernels<float>;
}
Kernels<double> const& kernels_f64() {
    return kernels<double>;
}

}  // namespace sluice::proton::marching::reference
