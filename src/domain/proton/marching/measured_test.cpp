// Depth doses and LET beside a measurement and three Monte Carlo programs (acceptance tests J and K
// of docs/design/006). SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <numbers>
#include <ostream>
#include <sstream>
#include <utility>

#include "domain/proton/spline.h"
#include "sluice/proton.h"

namespace sluice::proton {
namespace {

Physics const& physics() {
    static Physics const p(WaterTable::icru90);
    return p;
}

// Columns so wide that nothing leaves: on the axis of a wide field it is the same.
Phantom wide(double depth, double dz) {
    Phantom p;
    p.materials = {material("water").value()};
    p.dz = dz;
    p.dx = 400;
    p.columns = 3;
    p.x0 = -600;
    p.planes = static_cast<index>(std::ceil(depth / dz));
    return p;
}

MarchResult marched(Phantom const& p, double energy, double spread, bool let_map = false) {
    MarchOptions o;
    o.let_map = let_map;
    o.angle_step = 1.5 * std::numbers::pi / 180;
    Beam const b{.energy = energy, .energy_spread = spread, .sigma_x = 5};
    return march(physics(), p, b, o).value();
}

// Two columns of a text, from behind a line that begins so (or from its begin) to the next such
// line.
DepthCurve columns(std::string const& name, std::string const& begin = "") {
    DepthCurve c;
    std::ifstream file(SLUICE_TEST_DATA "/proton/" + name);
    std::string line;
    bool inside = begin.empty();
    while (std::getline(file, line)) {
        if (line.starts_with("#")) continue;
        if (line.starts_with("beam")) {
            if (inside) break;
            inside = line.starts_with(begin);
            continue;
        }
        if (!inside) continue;
        std::istringstream words(line);
        double depth = 0, dose = 0;
        words >> depth >> dose;
        c.depth.push_back(depth);
        c.dose.push_back(dose);
    }
    return c;
}

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
    auto const measured = columns("catana_62mev.txt");
    ASSERT_EQ(measured.depth.size(), 177u);
    auto const topas_curve = columns("topas_depth_dose.txt", "beam 62.652");
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
    // More than the 3 % that were asked for, as with TOPAS's curve: 3.7 and 3.5 %.
    EXPECT_NEAR(ours.worst, 0.0367, 0.001);
    EXPECT_NEAR(topas.worst, 0.0353, 0.001);
    EXPECT_LE(ours.entrance, -0.034);
    EXPECT_LE(topas.entrance, -0.032);

    // Why: a beam whose fall-off is as measured has a higher peak over its entrance, in TOPAS, too.
    auto const as_steep = ours_of(0.14);
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
    // fourth fitted number, the part of the beam that lost up to 10 mm, is enough for 3 %.
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

// The columns of a text, one after the other.
template <std::size_t Count>
std::array<std::vector<double>, Count> table(std::string const& name) {
    std::array<std::vector<double>, Count> out;
    std::ifstream file(SLUICE_TEST_DATA "/proton/" + name);
    std::string line;
    while (std::getline(file, line)) {
        if (line.starts_with("#")) continue;
        std::istringstream words(line);
        for (auto& column : out) words >> column.emplace_back();
    }
    return out;
}

// 5 mm of PMMA before 20 cm of solid water.
MarchResult plan02() {
    Phantom p = wide(205, 0.5);
    p.materials = {material("solid_water", 1.032).value(), material("pmma").value()};
    p.map.assign(static_cast<std::size_t>(p.planes * p.columns), 0);
    std::fill_n(p.map.begin(), 10 * p.columns, std::uint16_t(1));
    return marched(p, 160.36, 0.72);
}

constexpr double before_plan02 = 22.5;  // mm from its surface to its z of 0

TEST(Measured, DcptPlan02) {
    auto const [z, mcnp_dose, fluka_dose, mcnp_primary, mcnp_all] = table<5>("dcpt_plan02.txt");
    ASSERT_EQ(z.size(), 205u);
    std::vector<double> mm = z;
    for (double& v : mm) v *= 10;
    DepthCurve c = depth_dose(plan02());
    for (double& v : c.depth) v -= before_plan02;
    auto const m = bragg_metrics(c).value();
    auto const mcnp = bragg_metrics({mm, mcnp_dose}).value();
    auto const fluka = bragg_metrics({mm, fluka_dose}).value();
    // Five programs are between these.
    EXPECT_GE(m.r80, 149.4);
    EXPECT_LE(m.r80, 151.4);
    EXPECT_GE(m.fall_off, 0.95 * 3.15);
    EXPECT_LE(m.fall_off, 1.05 * 3.24);
    EXPECT_NEAR(m.r80, (mcnp.r80 + fluka.r80) / 2, 0.2);
    EXPECT_NEAR(m.peak_depth, (mcnp.peak_depth + fluka.peak_depth) / 2, 0.3);
}

struct Ratios {
    double least = HUGE_VAL, most = 0;
    void add(double ours, double theirs) {
        least = std::min(least, ours / theirs);
        most = std::max(most, ours / theirs);
    }
    bool within(double part) const { return least >= 1 - part && most <= 1 + part; }
};

std::ostream& operator<<(std::ostream& out, Ratios const& r) {
    return out << r.least << " to " << r.most;
}

// Numbers of each plane by depth behind the surface, MeV/cm.
double between(std::vector<double> const& of_planes, double dz, double mm) {
    double const k = mm / dz - 0.5;
    auto const low = static_cast<std::size_t>(k);
    double const t = k - static_cast<double>(low);
    return 10 * ((1 - t) * of_planes[low] + t * of_planes[low + 1]);
}

// A spread-out peak of 84 to 150 MeV, on which the two numbers of the secondary protons' LET were
// fitted: that of all protons, and what secondary ones add to it.
TEST(Measured, DcptPlan01Let) {
    Phantom p = wide(205, 0.5);
    p.materials = {material("solid_water", 1.032).value(), material("pmma").value()};
    p.map.assign(static_cast<std::size_t>(p.planes * p.columns), 0);
    std::fill_n(p.map.begin() + 304 * p.columns, 10 * p.columns, std::uint16_t(1));
    auto const planes = static_cast<std::size_t>(p.planes);
    std::vector<double> primary(planes), all(planes), energy(planes), all_energy(planes);

    std::ifstream file(SLUICE_TEST_DATA "/proton/dcpt_plan01_let.txt");
    std::string line;
    int layers = 0, depths = 0;
    Ratios by_shield, by_fluka;
    double squares = 0;
    while (std::getline(file, line)) {
        std::istringstream words(line);
        if (line.starts_with("layer")) {
            std::string layer;
            double mean = 0, spread = 0, part = 0;
            words >> layer >> mean >> spread >> part;
            auto const r = marched(p, mean, spread, true);
            for (std::size_t i = 0; i < r.primary.size(); ++i) {
                std::size_t const k = i / static_cast<std::size_t>(p.columns);
                energy[k] += part * r.primary[i];
                all_energy[k] += part * (r.primary[i] + r.secondary[i]);
                primary[k] += part * r.primary_let[i];
                all[k] += part * (r.primary_let[i] + r.secondary_let[i]);
            }
            if (++layers < 21) continue;
            for (std::size_t k = 0; k < planes; ++k) {
                primary[k] /= energy[k];
                all[k] /= all_energy[k];
            }
        }
        double z = 0, shield = 0, shield_all = 0, fluka = 0, fluka_all = 0;
        // In the first 4 mm theirs build up, where ours leave slow ones at once at the place.
        if (!(words >> z >> shield >> shield_all >> fluka >> fluka_all) || z < -9.9) continue;
        // The surface is at -10.25 cm; 0.1 mm more lays the fitted dose on theirs.
        double const mm = 10 * z + 102.6;
        double const ours = between(primary, p.dz, mm), ours_all = between(all, p.dz, mm);
        by_shield.add(ours, shield);
        by_fluka.add(ours, fluka);
        ++depths;
        // The layers are not known so well that what they share could decide.
        for (auto const& [own, theirs] : {std::pair(shield, shield_all), {fluka, fluka_all}}) {
            double const off = ((ours_all - ours) - (theirs - own)) / theirs;
            EXPECT_LE(std::abs(off), 0.04) << z << " cm: " << ours_all - ours << " of " << theirs;
            squares += off * off;
        }
    }
    EXPECT_EQ(layers, 21);
    ASSERT_EQ(depths, 33);
    EXPECT_LE(std::sqrt(squares / (2 * depths)), 0.016);
    EXPECT_TRUE(by_shield.within(0.045)) << by_shield;
    EXPECT_TRUE(by_fluka.within(0.035)) << by_fluka;
}

// LET of the beam's own protons and of all, in all depths up to R80. No number was fitted here.
TEST(Measured, DcptPlan02Let) {
    auto const r = plan02();
    auto const ours = [&](double cm, double PlaneSums::*what) {
        std::vector<double> of_planes;
        for (PlaneSums const& s : r.sums) of_planes.push_back(s.*what);
        return between(of_planes, r.dz, 10 * cm + before_plan02);
    };
    auto const [z, shield_track, shield, shield_all, fluka, fluka_all] =
        table<6>("dcpt_plan02_let.txt");
    ASSERT_EQ(z.size(), 56u);
    constexpr double r80 = 15.12;
    Ratios track, by_shield, by_fluka, early_shield, early_fluka, all_shield, all_fluka;
    for (std::size_t i = 0; i < z.size() && z[i] < r80; ++i) {
        double const let = ours(z[i], &PlaneSums::let_dose);
        double const let_all = ours(z[i], &PlaneSums::let_dose_all);
        track.add(ours(z[i], &PlaneSums::let_track), shield_track[i]);
        by_shield.add(let, shield[i]);
        by_fluka.add(let, fluka[i]);
        if (z[i] <= 13) {
            early_shield.add(let, shield[i]);
            early_fluka.add(let, fluka[i]);
        }
        all_shield.add(let_all, shield_all[i]);
        all_fluka.add(let_all, fluka_all[i]);
    }
    EXPECT_TRUE(track.within(0.04)) << track;
    EXPECT_TRUE(by_shield.within(0.1)) << by_shield;
    EXPECT_TRUE(by_fluka.within(0.1)) << by_fluka;
    EXPECT_TRUE(early_shield.within(0.015)) << early_shield;
    EXPECT_TRUE(early_fluka.within(0.045)) << early_fluka;
    // From 2.5 mm behind the surface, the first depth there is.
    EXPECT_TRUE(all_shield.within(0.08)) << all_shield;
    EXPECT_TRUE(all_fluka.within(0.08)) << all_fluka;

    // MCNP's are other ones, even those of what it calls primary.
    auto const [mcnp_z, mcnp_dose, fluka_dose, mcnp, mcnp_all] = table<5>("dcpt_plan02.txt");
    auto const by_mcnp = [&](double cm) {
        auto const k = static_cast<std::size_t>(std::lround(10 * (cm + 2.2)));
        EXPECT_NEAR(mcnp_z[k], cm, 1e-9);
        return ours(cm, &PlaneSums::let_dose) / mcnp[k];
    };
    EXPECT_NEAR(by_mcnp(3), 0.67, 0.02);
    EXPECT_NEAR(by_mcnp(15.1), 1.285, 0.03);
}

}  // namespace
}  // namespace sluice::proton
