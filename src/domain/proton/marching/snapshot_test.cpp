// A small dose that was stored, so that no change of results goes unseen (acceptance test O of
// docs/design/006). SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>

#include "sluice/proton.h"
#include "test_data.h"

namespace sluice::proton {
namespace {

constexpr char path[] = SLUICE_TEST_DATA "/proton/snapshot.txt";

// All of the physics, at an angle, half of it through bone.
MarchResult small_dose() {
    Phantom p;
    p.materials = {material("water").value(), material("cortical_bone").value()};
    p.planes = 44;
    p.columns = 32;
    p.dz = p.dx = 1;
    p.x0 = -14;
    p.map.assign(static_cast<std::size_t>(p.planes * p.columns), 0);
    for (index k = 5; k < 15; ++k)
        for (index x = 16; x < p.columns; ++x)
            p.map[static_cast<std::size_t>(k * p.columns + x)] = 1;
    MarchOptions o;
    o.precision = Precision::f64;
    o.angle_step *= 2;
    Beam beam{.energy = 65, .energy_spread = 0.7, .sigma_x = 3};
    beam.angle = 0.1;
    beam.divergence = 0.01;
    beam.covariance = -0.01;
    return march(Physics(WaterTable::icru90), p, beam, o).value();
}

TEST(Snapshot, DoseIsThatOfBefore) {
    MarchResult const r = small_dose();
    if (std::getenv("SLUICE_UPDATE_GOLDEN")) {
        std::ofstream file(path);
        file << "# A dose of snapshot_test.cpp, MeV in [plane][column]; renew it with\n"
                "# SLUICE_UPDATE_GOLDEN=1 test_proton --gtest_filter=Snapshot*\n";
        for (index k = 0; k < r.planes; ++k) {
            for (index x = 0; x < r.columns; ++x)
                file << fmt::format("{:.8g} ",
                                    r.deposit[static_cast<std::size_t>(k * r.columns + x)]);
            file << "\n";
        }
        GTEST_SKIP() << path << " was renewed";
    }
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    std::getline(file, line);
    double difference = 0, all = 0;
    for (double const ours : r.deposit) {
        double stored = 0;
        ASSERT_TRUE(file >> stored);
        difference += (ours - stored) * (ours - stored);
        all += stored * stored;
    }
    EXPECT_LT(std::sqrt(difference / all), 1e-6);
}

}  // namespace
}  // namespace sluice::proton
