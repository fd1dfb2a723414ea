// Chambolle's steps in one pass over the rows: bands that threads take see each other's old rows.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/constraints/total_variation.h"

#include <algorithm>
#include <cmath>

#include "device/workers.h"

namespace sluice::ptycho {

namespace {

constexpr index band = 32;  // rows that a thread takes at a time

// Real and imaginary parts of a row.
template <class Real>
struct Parts {
    Real *re, *im;
    Real* of(int part) const { return part ? im : re; }
};

template <class Real>
class DualStep {
  public:
    using Dual = typename TotalVariation<Real>::Dual;

    DualStep(Planar<Real> const& image, Dual& dual, Real by)
        : image_(image), dual_(dual), by_(by), firsts_(bands(), image.cols() + 1) {}

    index bands() const { return (image_.rows() + band - 1) / band; }

    // Of each band's first row, before any band changes what it stands on.
    void begin(index b) { slope_row(b * band, {firsts_.re(b), firsts_.im(b)}); }

    // The rows of a band, each after the row below has seen it as it was. `room` is two rows.
    void run(index b, Planar<Real>& room) {
        index const first = b * band, last = std::min(first + band, image_.rows());
        Parts<Real> now{firsts_.re(b), firsts_.im(b)};
        for (index y = first; y < last; ++y) {
            Parts<Real> below{room.re(y % 2), room.im(y % 2)};
            if (y + 1 < last)
                slope_row(y + 1, below);
            else if (last < image_.rows())
                below = {firsts_.re(b + 1), firsts_.im(b + 1)};
            else
                below = now;  // flat beyond the edge
            turn(y, now, below);
            now = below;
        }
    }

    // div p - f / weight, with the last column twice, so that its difference is 0.
    void slope_row(index y, Parts<Real> to) const {
        index const n = image_.cols();
        for (int part = 0; part < 2; ++part) {
            Real* __restrict out = to.of(part);
            Real const* const f = part ? image_.im(y) : image_.re(y);
            Real const* const col = part ? dual_.by_col.im(y) : dual_.by_col.re(y);
            Real const* const row = part ? dual_.by_row.im(y) : dual_.by_row.re(y);
            out[0] = col[0] + row[0] - by_ * f[0];
            for (index x = 1; x < n; ++x) out[x] = (col[x] - col[x - 1]) + row[x] - by_ * f[x];
            if (y > 0) {
                Real const* const above = part ? dual_.by_row.im(y - 1) : dual_.by_row.re(y - 1);
                for (index x = 0; x < n; ++x) out[x] -= above[x];
            }
            out[n] = out[n - 1];
        }
    }

  private:
    // p = (p + t a) / (1 + t |a|), a the differences of two rows and of neighbours in one. 1/8 is
    // proven for t, 1/4 is what converges (the paper's last remark).
    void turn(index y, Parts<Real> now, Parts<Real> below) {
        index const n = image_.cols();
        Real const t = Real(0.25);
        Real* __restrict cr = dual_.by_col.re(y), * __restrict ci = dual_.by_col.im(y);
        Real* __restrict rr = dual_.by_row.re(y), * __restrict ri = dual_.by_row.im(y);
        for (index x = 0; x < n; ++x) {
            Real const a = now.re[x + 1] - now.re[x], b = now.im[x + 1] - now.im[x];
            Real const c = below.re[x] - now.re[x], d = below.im[x] - now.im[x];
            Real const by = 1 / (1 + t * std::sqrt(a * a + b * b + c * c + d * d));
            cr[x] = (cr[x] + t * a) * by;
            ci[x] = (ci[x] + t * b) * by;
            rr[x] = (rr[x] + t * c) * by;
            ri[x] = (ri[x] + t * d) * by;
        }
    }

    Planar<Real> const& image_;
    Dual& dual_;
    Real by_;
    Planar<Real> firsts_;  // [band]: the slopes of its first row
};

}  // namespace

template <class Real>
void TotalVariation<Real>::apply(std::vector<Planar<Real>>& object, double weight, index steps,
                                 int threads) {
    if (dual.empty())
        for (auto const& plane : object)
            dual.push_back({{plane.rows(), plane.cols()}, {plane.rows(), plane.cols()}});
    auto const workers = static_cast<std::size_t>(std::max(threads, 1));
    for (std::size_t s = 0; s < object.size(); ++s) {
        Planar<Real>& image = object[s];
        auto const by = static_cast<Real>(1 / weight);
        DualStep<Real> step(image, dual[s], by);
        std::vector<Planar<Real>> rooms(workers, Planar<Real>(2, image.cols() + 1));
        for (index i = 0; i < steps; ++i) {
            parallel_for(step.bands(), threads, 8, [&](index b, int) { step.begin(b); });
            parallel_for(step.bands(), threads, 1, [&](index b, int worker) {
                step.run(b, rooms[static_cast<std::size_t>(worker)]);
            });
        }
        // u = f - weight div p.
        parallel_for(image.rows(), threads, band, [&](index y, int worker) {
            Planar<Real>& room = rooms[static_cast<std::size_t>(worker)];
            step.slope_row(y, {room.re(0), room.im(0)});
            for (int part = 0; part < 2; ++part) {
                Real* const z = part ? image.im(y) : image.re(y);
                Real const* const slope = part ? room.im(0) : room.re(0);
                for (index x = 0; x < image.cols(); ++x) z[x] = -slope[x] / by;
            }
        });
    }
}

template class TotalVariation<float>;
template class TotalVariation<double>;

}  // namespace sluice::ptycho
