// A measured depth dose (acceptance test J of docs/design/006).
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "domain/proton/marching/reference_data_test.h"
#include "domain/proton/marching/wide_field_test.h"
#include "domain/proton/spline.h"

namespace sluice::proton {
namespace {

// The ranges of a beam spread by a Gaussian: a proton that flies farther has its curve farther.
DepthCurve spread_range(DepthCurve const& c, double sigma) {
    Spline const dose(c.depth, c.dose);
    DepthCurve out;
    for (double z = 0.05; z < c.depth.back(); z += 0.1) {
        double sum = 0, weights = 0;
        for (double u = -4; u <= 4; u += 0.1) {
            double const weight = std::exp(-u * u / 2), at = z + u * sigma;
            weights += weight;
            if (at <= c.depth.back()) sum += weight * dose(std::max(at, c.depth.front()));
        }
        out.depth.push_back(z);
        out.dose.push_back(sum / weights);
    }
    return out;
}

// A part of the beam has lost up to `length` of its range, every part of it as likely.
DepthCurve with_tail(DepthCurve const& c, double part, double length) {
    Spline const dose(c.depth, c.dose);
    DepthCurve out = c;
    int const n = 50;
    for (std::size_t i = 0; i < c.depth.size(); ++i) {
        double sum = 0;
        for (int k = 0; k < n; ++k) {
            double const at = c.depth[i] + length * (k + 0.5) / n;
            if (at <= c.depth.back()) sum += dose(at);
        }
        out.dose[i] = (1 - part) * c.dose[i] + part * sum / n;
    }
    return out;
}

struct Fit {
    double spread = 0, part = 0;  ///< of energy, MeV (of range, mm, of TOPAS's curve); of the tail
    double before = 0;            ///< water before the phantom, mm
    double scale = 0;
    double worst = HUGE_VAL;  ///< largest difference, a part of the measured peak
    double entrance = 0;      ///< that at the first point
    double r80 = 0;           ///< theirs less measured, mm
};

// The shift and the scale that make the largest difference smallest, with R80 within 0.1 mm.
Fit fitted(DepthCurve const& curve, DepthCurve const& measured) {
    Spline const dose(curve.depth, curve.dose);
    double const peak = std::ranges::max(measured.dose);
    double const shift = bragg_metrics(curve)->r80 - bragg_metrics(measured)->r80;
    std::vector<double> there(measured.depth.size());
    auto const worst = [&](double scale) {
        double most = 0;
        for (std::size_t i = 0; i < there.size(); ++i)
            most = std::max(most, std::abs(scale * there[i] - measured.dose[i]));
        return most / peak;
    };
    Fit best;
    for (int k = -20; k <= 20; ++k) {
        double const before = shift + 0.005 * k;
        for (std::size_t i = 0; i < there.size(); ++i) there[i] = dose(measured.depth[i] + before);
        double low = 0.7 * peak / std::ranges::max(there), high = 2 * low;
        while (high - low > 1e-5 * high) {
            double const third = (high - low) / 3;
            if (worst(low + third) < worst(high - third))
                high -= third;
            else
                low += third;
        }
        if (worst(low) >= best.worst) continue;
        best.before = before;
        best.scale = low;
        best.worst = worst(low);
        best.entrance = (low * there[0] - measured.dose[0]) / peak;
        best.r80 = -0.005 * k;
    }
    return best;
}

constexpr int least_spread = 14, most_spread = 32;  // times 0.01 MeV, or mm

// Over curves of all spreads, and over parts of the beam in a tail of 10 mm.
Fit fitted(std::vector<DepthCurve> const& curves, DepthCurve const& measured, double least_part = 0,
           double most_part = 0) {
    Fit best;
    int k = least_spread;
    for (DepthCurve const& curve : curves) {
        for (double part = least_part; part <= most_part; part += 0.01) {
            Fit f = fitted(part > 0 ? with_tail(curve, part, 10) : curve, measured);
            f.spread = 0.01 * k;
            f.part = part;
            if (f.worst < best.worst) best = f;
        }
        ++k;
    }
    return best;
}

void record(std::string const& what, Fit const& f) {
    testing::Test::RecordProperty(what + "_spread", std::to_string(f.spread));
    testing::Test::RecordProperty(what + "_tail", std::to_string(f.part));
    testing::Test::RecordProperty(what + "_water_before_mm", std::to_string(f.before));
    testing::Test::RecordProperty(what + "_scale", std::to_string(f.scale));
    testing::Test::RecordProperty(what + "_worst", std::to_string(f.worst));
    testing::Test::RecordProperty(what + "_entrance", std::to_string(f.entrance));
    testing::Test::RecordProperty(what + "_r80_mm", std::to_string(f.r80));
}

// The measured curve, with the spread of energy, the water before the phantom and the scale fitted.
TEST(Measured, Catana62MeV) {
    auto const [depth, dose] = table<2>("catana_62mev.txt");
    DepthCurve const measured{depth, dose};
    ASSERT_EQ(measured.depth.size(), 177u);
    auto const beams = topas_beams();
    auto const next = std::ranges::find(beams, 62.652, &TopasBeam::energy);
    ASSERT_NE(next, beams.end());
    DepthCurve const topas_curve = next->curve;
    ASSERT_EQ(topas_curve.depth.size(), 105u);
    auto const ours_of = [](double s) { return depth_dose(marched(wide(38, 0.1), 62, s)); };
    auto const topas_of = [&](double s) { return spread_range(topas_curve, s); };

    std::vector<DepthCurve> ours_by_spread, topas_by_spread;
    for (int k = least_spread; k <= most_spread; ++k) {
        ours_by_spread.push_back(ours_of(0.01 * k));
        topas_by_spread.push_back(topas_of(0.01 * k));
    }

    auto const ours = fitted(ours_by_spread, measured), topas = fitted(topas_by_spread, measured);
    record("ours", ours);
    record("topas", topas);
    EXPECT_NEAR(ours.spread, 0.265, 0.02);
    EXPECT_NEAR(ours.before, 2.335, 0.02);
    EXPECT_LE(std::abs(ours.r80), 0.05);
    // More than the 3 % that were asked for, as with TOPAS's curve: 3.6 and 3.5 %.
    EXPECT_NEAR(ours.worst, 0.0360, 0.001);
    EXPECT_NEAR(topas.worst, 0.0353, 0.001);
    EXPECT_LE(ours.entrance, -0.034);
    EXPECT_LE(topas.entrance, -0.032);

    // Why: a beam whose fall-off is as measured has a higher peak over its entrance, in TOPAS, too.
    auto const as_steep = ours_of(0.155);
    auto const m = bragg_metrics(as_steep).value(), n = bragg_metrics(measured).value();
    EXPECT_NEAR(m.fall_off, n.fall_off, 0.005);
    EXPECT_NEAR(m.peak_depth - m.r80, n.peak_depth - n.r80, 0.1);
    auto const to_entrance = [&](DepthCurve const& c) {
        auto const b = bragg_metrics(c).value();
        return b.peak / Spline(c.depth, c.dose)(2.83 + b.r80 - n.r80);
    };
    EXPECT_NEAR(to_entrance(measured), 4.36, 0.02);
    EXPECT_NEAR(to_entrance(as_steep), 5.56, 0.05);
    EXPECT_NEAR(to_entrance(topas_of(0.1)), 5.50, 0.05);

    // A beam out of scatterers and collimators has protons that lost some of their range there. A
    // fourth fitted number, the part of the beam that lost up to 10 mm, makes it 3.1 %, and 2.8 %
    // of TOPAS's.
    auto const tail = fitted(ours_by_spread, measured, 0.08, 0.16);
    auto const topas_tail = fitted(topas_by_spread, measured, 0.08, 0.16);
    record("ours_with_tail", tail);
    record("topas_with_tail", topas_tail);
    EXPECT_LE(tail.worst, 0.03);
    EXPECT_LE(topas_tail.worst, 0.03);
    EXPECT_NEAR(tail.part, 0.12, 0.03);
    EXPECT_NEAR(tail.spread, 0.22, 0.02);
    EXPECT_NEAR(tail.before, 2.305, 0.02);
    EXPECT_LE(std::abs(tail.r80), 0.05);
}

}  // namespace
}  // namespace sluice::proton
