// Patients out of images.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "sluice/proton_dose.h"

namespace sluice::proton {
namespace {

Volume image(std::vector<float> const& values) {
    Volume v;
    v.image = Array<float>::zeros({2, 2, static_cast<index>(values.size())});
    for (std::size_t i = 0; i < v.image.values.size(); ++i)
        v.image.values[i] = values[i % values.size()];
    v.spacing = {1, 1, 1};
    v.origin = {0, 0, 0};
    return v;
}

TEST(PatientOf, CtNumbersBecomeTissuesOfTheirTables) {
    Patient const p = patient_of(image({-1000, -740, 0, 20, 450, 900})).value();
    ASSERT_EQ(p.tissue.size(), 24U);
    std::vector<double> stopping, density;
    for (std::size_t i = 0; i < 6; ++i) {
        stopping.push_back(static_cast<double>(p.stopping[p.tissue[i]]));
        density.push_back(static_cast<double>(p.density[p.tissue[i]]));
    }
    EXPECT_NEAR(stopping[0], 0.001, 0.0005);
    EXPECT_NEAR(stopping[2], 1, 0.001);
    EXPECT_GT(stopping[5], 1.4);
    for (std::size_t i = 1; i < 6; ++i) {
        EXPECT_GT(stopping[i], stopping[i - 1]);
        EXPECT_GT(density[i], density[i - 1]);
    }
}

}  // namespace
}  // namespace sluice::proton
