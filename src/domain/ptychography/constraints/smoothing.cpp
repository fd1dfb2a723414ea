// Two linear smoothings, by rows.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/constraints/smoothing.h"

#include <algorithm>
#include <cmath>

#include "device/workers.h"

namespace sluice::ptycho {

template <class Real>
void smooth_neighbours(std::vector<Planar<Real>>& object, double length, int threads) {
    auto const by = static_cast<Real>(length);
    for (auto& plane : object) {
        Planar<Real> const old = plane;
        index const rows = plane.rows(), n = plane.cols();
        parallel_for(rows, threads, 16, [&](index y, int) {
            for (int part = 0; part < 2; ++part) {
                auto const row = [&](index r) {
                    index const inside = std::clamp<index>(r, 0, rows - 1);
                    return part ? old.im(inside) : old.re(inside);
                };
                Real const *const up = row(y - 1), *const now = row(y), *const down = row(y + 1);
                Real* const to = part ? plane.im(y) : plane.re(y);
                auto const one = [&](index x, index left, index right) {
                    to[x] = now[x] + by * ((up[x] - now[x]) + (down[x] - now[x]) +
                                           (now[left] - now[x]) + (now[right] - now[x]));
                };
                one(0, 0, std::min<index>(1, n - 1));
                for (index x = 1; x + 1 < n; ++x) one(x, x - 1, x + 1);
                if (n > 1) one(n - 1, n - 2, n - 1);
            }
        });
    }
}

template <class Real>
void smooth_slices(std::vector<Planar<Real>>& object, double sigma, int threads) {
    std::size_t const slices = object.size();
    if (slices < 2) return;
    std::vector<Real> weights(slices * slices);
    for (std::size_t s = 0; s < slices; ++s) {
        double sum = 0;
        auto const of = [&](std::size_t t) {
            double const d = static_cast<double>(s) - static_cast<double>(t);
            return std::exp(-d * d / (2 * sigma * sigma));
        };
        for (std::size_t t = 0; t < slices; ++t) sum += of(t);
        for (std::size_t t = 0; t < slices; ++t)
            weights[s * slices + t] = static_cast<Real>(of(t) / sum);
    }
    index const width = 2 * object.front().half();
    parallel_for(object.front().rows(), threads, 4, [&](index y, int) {
        std::vector<Real> sums(slices * static_cast<std::size_t>(width));
        for (std::size_t s = 0; s < slices; ++s) {
            Real* const to = sums.data() + s * static_cast<std::size_t>(width);
            for (std::size_t t = 0; t < slices; ++t) {
                Real const by = weights[s * slices + t];
                Real const* const from = object[t].re(y);
                for (index i = 0; i < width; ++i) to[i] += by * from[i];
            }
        }
        for (std::size_t s = 0; s < slices; ++s)
            std::copy_n(sums.data() + s * static_cast<std::size_t>(width), width, object[s].re(y));
    });
}

template void smooth_neighbours(std::vector<Planar<float>>&, double, int);
template void smooth_neighbours(std::vector<Planar<double>>&, double, int);
template void smooth_slices(std::vector<Planar<float>>&, double, int);
template void smooth_slices(std::vector<Planar<double>>&, double, int);

}  // namespace sluice::ptycho
