// How fast a march converges with the step of depth (acceptance test E of docs/design/006).
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <cstdio>

#include "sluice/proton.h"

namespace sluice::proton {
namespace {

MarchResult slab(double dz, Splitting s) {
    static Physics const physics(WaterTable::icru90);
    Phantom p{.materials = {material("water").value()},
              .planes = index(std::lround(96 / dz)),
              .columns = 100,
              .dz = dz,
              .dx = 0.5,
              .x0 = -25};
    double const degree = std::numbers::pi / 180;
    MarchOptions o{.angle_step = 0.5 * degree, .angle_window = 12 * degree, .range_step = 0.25};
    o.straggling = o.nuclear = o.out_of_plane = false;
    o.threshold = 0;
    o.precision = Precision::f64;
    o.splitting = s;
    return march(physics, p, {.energy = 150, .sigma_x = 3}, o).value();
}

double dose_sigma(MarchResult const& r) {  // of slab 64..96
    MarchResult q = r;
    q.planes = 1;
    q.deposit.assign(r.columns, 0);
    for (index k = 0; k < r.planes; ++k)
        if ((k + 0.5) * r.dz > 64)
            for (index x = 0; x < r.columns; ++x) q.deposit[x] += r.deposit[k * r.columns + x];
    return lateral_sigma(q)[0];
}

TEST(Order, Explore) {
    for (Splitting s : {Splitting::strang, Splitting::first_order}) {
        double e[2][6];
        int n = 0;
        for (double dz : {8.0, 4.0, 2.0, 1.0, 0.5, 0.25}) {
            auto r = slab(dz, s);
            e[0][n] = r.exit_sigma;
            e[1][n] = dose_sigma(r);
            std::printf("%g %.9f %.9f\n", dz, e[0][n], e[1][n]);
            ++n;
        }
        for (int q = 0; q < 2; ++q) {
            for (int i = 0; i + 2 < n; ++i)
                std::printf("%.3f ", std::log2((e[q][i] - e[q][i + 1]) / (e[q][i + 1] - e[q][i + 2])));
            std::printf("\n");
        }
    }
}

}  // namespace
}  // namespace sluice::proton
