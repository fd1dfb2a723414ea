// The dense mode beside its reference, beside closed forms, and beside the march.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>
#include <random>

#include "device/isa.h"
#include "sluice/proton_dense.h"

namespace sluice::proton {
namespace {

constexpr double pi = std::numbers::pi;

Physics const& physics() {
    static Physics const p(WaterTable::icru90);
    return p;
}

Phantom box(index planes, index columns, double dz, double dx, char const* name = "water") {
    Phantom p;
    p.materials = {material(name).value()};
    p.planes = planes;
    p.columns = columns;
    p.dz = dz;
    p.dx = dx;
    p.x0 = -p.width() / 2;
    return p;
}

Beam pencil(double energy, double sigma) {
    Beam b;
    b.energy = energy;
    b.sigma_x = sigma;
    return b;
}

// Small, with everything in it that a step can meet.
struct Small {
    Phantom phantom = box(7, 9, 2, 1.5);
    Beam beam = pencil(40, 2);
    DenseOptions options;
    Small() {
        options.energies = 12;
        options.angles = 10;
        options.step = 1.3;
        options.spacing = EnergySpacing::uniform;
        options.precision = Precision::f64;
    }
};

std::vector<double> random_state(std::size_t cells) {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> number(0, 1);
    std::vector<double> psi(cells);
    // Some of it is empty.
    for (double& v : psi) v = random() % 3 == 0 ? 0 : number(random) / static_cast<double>(cells);
    return psi;
}

struct After {
    std::vector<double> state, deposit;
    Ledger ledger;
    double worst_weight, worst_energy;
};

After after(Small const& s, Device const& device, index steps) {
    DenseOptions o = s.options;
    o.device = device;
    auto solver = DenseSolver::create(physics(), s.phantom, s.beam, o);
    EXPECT_TRUE(solver) << solver.error().text();
    auto const cells =
        static_cast<std::size_t>(o.energies * o.angles * s.phantom.planes * s.phantom.columns);
    EXPECT_TRUE(solver->set_state(random_state(cells)));
    for (index n = 0; n < steps; ++n) EXPECT_TRUE(solver->step());
    MarchResult const r = solver->result().value();
    return {solver->state().value(), r.deposit, r.ledger, r.worst_weight, r.worst_energy};
}

double largest(std::vector<double> const& v) {
    return *std::max_element(v.begin(), v.end());
}

double difference(std::vector<double> const& a, std::vector<double> const& b) {
    double most = 0;
    EXPECT_EQ(a.size(), b.size());
    for (std::size_t n = 0; n < a.size(); ++n) most = std::max(most, std::abs(a[n] - b[n]));
    return most / largest(a);
}

std::vector<Small> variations() {
    std::vector<Small> all;
    // The narrowest angles need several passes of scattering.
    for (double const window : {pi, 0.9, 0.1})
        for (bool const mixed : {false, true})
            for (Backward const backward : {Backward::reject, Backward::cap, Backward::allow})
                for (bool const nuclear : {false, true}) {
                    Small s;
                    s.options.angle_window = window;
                    s.options.backward = backward;
                    s.options.nuclear = s.options.straggling = nuclear;
                    s.options.threshold = nuclear ? 1e-5 : 0;
                    if (mixed) {
                        s.phantom.materials.push_back(material("cortical_bone").value());
                        s.phantom.materials.push_back(material("lung").value());
                        for (index n = 0; n < 63; ++n)
                            s.phantom.map.push_back(static_cast<std::uint16_t>(n * n % 3));
                    }
                    all.push_back(s);
                }
    // A line of pieces of every width that kernels have.
    Small wide;
    wide.phantom = box(7, 63, 2, 1.5);
    all.push_back(wide);
    return all;
}

TEST(Dense, IsWhatTheReferenceSays) {
    for (Small s : variations())
        for (Precision const precision : {Precision::f64, Precision::f32}) {
            s.options.precision = precision;
            After const right = after(s, Device::reference(), 3);
            double const most = precision == Precision::f64 ? 1e-13 : 2e-6;
            for (Isa const isa : compiled_isas()) {
                if (!runs_here(isa)) continue;
                After const found = after(s, Device::cpu(2, isa), 3);
                EXPECT_LE(difference(right.state, found.state), most) << name_of(isa);
                EXPECT_LE(difference(right.deposit, found.deposit), most) << name_of(isa);
                for (Share Ledger::*const part :
                     {&Ledger::left, &Ledger::right, &Ledger::front, &Ledger::end, &Ledger::angles,
                      &Ledger::backward, &Ledger::stopped, &Ledger::nuclear, &Ledger::truncated,
                      &Ledger::inside}) {
                    EXPECT_NEAR((right.ledger.*part).weight, (found.ledger.*part).weight, most);
                    EXPECT_NEAR((right.ledger.*part).energy, (found.ledger.*part).energy,
                                20 * most);
                }
            }
        }
}

TEST(Dense, InstructionSetsAndThreadsGiveTheSameBits) {
    for (Small const& s : variations()) {
        After const one = after(s, Device::cpu(1, Isa::baseline), 3);
        for (Isa const isa : compiled_isas())
            for (int const threads : {1, 2, 3, 5}) {
                if (!runs_here(isa)) continue;
                After const many = after(s, Device::cpu(threads, isa), 3);
                ASSERT_EQ(one.state, many.state) << name_of(isa) << " " << threads;
                ASSERT_EQ(one.deposit, many.deposit) << name_of(isa) << " " << threads;
                for (Share Ledger::*const part :
                     {&Ledger::left, &Ledger::right, &Ledger::front, &Ledger::end, &Ledger::angles,
                      &Ledger::backward, &Ledger::stopped, &Ledger::nuclear, &Ledger::truncated}) {
                    ASSERT_EQ((one.ledger.*part).weight, (many.ledger.*part).weight);
                    ASSERT_EQ((one.ledger.*part).energy, (many.ledger.*part).energy);
                }
            }
    }
}

TEST(Dense, ADeviceOutOfReachGivesTheSameBitsAsTheReference) {
    for (Small const& s : variations()) {
        After const right = after(s, Device::reference(), 2);
        After const far = after(s, Device::fake(), 2);
        ASSERT_EQ(right.state, far.state);
        ASSERT_EQ(right.deposit, far.deposit);
    }
}

TEST(Dense, NothingIsLostAndNothingIsNegative) {
    for (Small s : variations())
        for (Precision const precision : {Precision::f64, Precision::f32}) {
            s.options.precision = precision;
            bool const fine = precision == Precision::f64;
            After const found = after(s, Device::cpu(2), 6);
            EXPECT_LE(found.worst_weight, fine ? 1e-12 : 1e-6);
            EXPECT_LE(found.worst_energy, fine ? 1e-10 : 1e-5);
            EXPECT_NEAR(found.ledger.residual().weight, 0, fine ? 1e-12 : 1e-6);
            EXPECT_NEAR(found.ledger.residual().energy / found.ledger.in.energy, 0,
                        fine ? 1e-12 : 1e-5);
            for (double const v : found.state) ASSERT_GE(v, 0);
        }
}

// Centre and variance of the state over an axis of [rows][columns].
std::pair<double, double> moments(std::vector<double> const& plane, index rows, index columns,
                                  bool over_rows) {
    double w = 0, first = 0, second = 0;
    for (index r = 0; r < rows; ++r)
        for (index c = 0; c < columns; ++c) {
            double const f = plane[static_cast<std::size_t>(r * columns + c)];
            auto const at = static_cast<double>(over_rows ? r : c);
            w += f;
            first += f * at;
            second += f * at * at;
        }
    return {first / w, second / w - first / w * (first / w)};
}

TEST(Dense, InNothingItMovesStraightAndWidensByWhatSharingAdds) {
    // Test C of the first order: the place is exact, and each step adds f (1 - f) to the variance.
    index const n = 150;
    Phantom const vacuum = box(n, n, 1, 1, "vacuum");
    DenseOptions o;
    o.precision = Precision::f64;
    o.energies = 3;
    o.energy_min = 90;
    o.energy_max = 110;
    o.spacing = EnergySpacing::uniform;
    o.angles = 72;
    o.step = 0.9;
    o.threshold = 0;
    o.nuclear = false;
    Beam beam = pencil(100, 3);
    beam.angle = 10 * pi / 180;
    beam.x = -40;
    auto solver = DenseSolver::create(physics(), vacuum, beam, o).value();
    index const steps = 100;
    std::vector<double> start = solver.state().value();
    for (index k = 0; k < steps; ++k) ASSERT_TRUE(solver.step());
    std::vector<double> psi = solver.state().value();
    auto const plane = [&](std::vector<double> const& all) {
        std::vector<double> sum(static_cast<std::size_t>(n * n));
        for (std::size_t k = 0; k < all.size(); ++k) sum[k % sum.size()] += all[k];
        return sum;
    };
    double const path = o.step * std::sin(beam.angle), f = path - std::floor(path);
    auto const before = moments(plane(start), n, n, false);
    auto const behind = moments(plane(psi), n, n, false);
    EXPECT_NEAR(behind.first - before.first, path * static_cast<double>(steps), 1e-3);
    double const added = f * (1 - f) * static_cast<double>(steps);
    EXPECT_NEAR(behind.second - before.second, added, 0.01 * added);
    auto const deep = moments(plane(psi), n, n, true);
    EXPECT_NEAR(deep.first, o.step * std::cos(beam.angle) * static_cast<double>(steps), 1e-3);
}

TEST(Dense, AngularVarianceIsTheIntegralOfScattering) {
    // Of one energy, however far apart the angles are.
    for (index const angles : {72, 36, 180}) {
        DenseOptions o;
        o.precision = Precision::f64;
        o.energies = 40;
        o.angles = angles;
        o.straggling = o.nuclear = false;
        o.spacing = EnergySpacing::range;
        o.splitting = Splitting::first_order;
        o.threshold = 0;
        o.backward = Backward::cap;
        o.angle_cap = 4;
        Phantom const phantom = box(60, 60, 1, 2);
        auto solver = DenseSolver::create(physics(), phantom, pencil(60, 4), o).value();
        double expected = 0, range = physics().range(60) - 0.5;
        Material const water;
        for (int k = 0; k < 5; ++k) {
            ASSERT_TRUE(solver.step());
            expected += physics().scattering_power(water, physics().energy(range));
            range -= 1;
        }
        std::vector<double> const psi = solver.state().value();
        double w = 0, second = 0;
        auto const plane = static_cast<std::size_t>(phantom.planes * phantom.columns);
        for (std::size_t k = 0; k < psi.size(); ++k) {
            double const a = solver.angles()[k / plane % solver.angles().size()];
            w += psi[k];
            second += psi[k] * a * a;
        }
        EXPECT_NEAR(second / w, expected, 0.005 * expected) << angles;
    }
}

TEST(Dense, ALowestEnergyThatStopsWithinAStepNeedsNoMorePassesThanOthers) {
    // It scatters over its own short range, and so less often than those above.
    Phantom const phantom = box(30, 10, 0.1, 1);
    Beam const beam = pencil(12, 2);
    DenseOptions o;
    o.precision = Precision::f64;
    o.energies = 60;
    o.energy_min = 0.1;
    o.energy_max = 13;
    o.spacing = EnergySpacing::logarithmic;
    o.angles = 180;
    o.step = 0.06;
    o.splitting = Splitting::first_order;
    o.device = Device::reference();
    auto right = DenseSolver::create(physics(), phantom, beam, o).value();
    o.device = Device::cpu(2);
    auto fast = DenseSolver::create(physics(), phantom, beam, o).value();
    DenseOperators const made = fast.operators();
    ASSERT_LT(made.passes[0], *std::max_element(made.passes.begin(), made.passes.end()));
    auto const cells = static_cast<std::size_t>(60 * 180 * 300);
    std::vector<double> const start = random_state(cells);
    ASSERT_TRUE(right.set_state(start));
    ASSERT_TRUE(fast.set_state(start));
    for (int k = 0; k < 2; ++k) {
        ASSERT_TRUE(right.step());
        ASSERT_TRUE(fast.step());
    }
    EXPECT_LE(difference(right.state().value(), fast.state().value()), 1e-13);
    EXPECT_LE(fast.result()->worst_weight, 1e-12);
    // Of one direction, at the highest energy that needs several.
    std::size_t energy = made.passes.size() - 1;
    while (made.passes[energy] == 1) --energy;
    std::vector<double> psi(cells);
    psi[(energy * 180 + 90) * 300 + 155] = 1;
    double const apart = fast.angles()[1] - fast.angles()[0];
    double const expected = 2 * made.diffusion[energy] * made.passes[energy] * apart * apart;
    for (DenseSolver* const solver : {&right, &fast}) {
        ASSERT_TRUE(solver->set_state(psi));
        ASSERT_TRUE(solver->step());
        std::vector<double> const after = solver->state().value();
        double w = 0, second = 0;
        for (std::size_t k = 0; k < after.size(); ++k) {
            double const angle = solver->angles()[k / 300 % 180];
            w += after[k];
            second += after[k] * angle * angle;
        }
        EXPECT_NEAR(second / w, expected, 1e-9 * expected);
    }
}

TEST(Dense, ANewStateBeginsAnew) {
    Small s;
    auto solver = DenseSolver::create(physics(), s.phantom, s.beam, s.options).value();
    auto fresh = DenseSolver::create(physics(), s.phantom, s.beam, s.options).value();
    std::vector<double> const psi = random_state(solver.state()->size());
    for (int k = 0; k < 3; ++k) ASSERT_TRUE(solver.step());
    ASSERT_TRUE(solver.set_state(psi));
    ASSERT_TRUE(fresh.set_state(psi));
    ASSERT_TRUE(solver.step());
    ASSERT_TRUE(fresh.step());
    EXPECT_EQ(solver.result()->deposit, fresh.result()->deposit);
    EXPECT_EQ(solver.steps(), 1);
    EXPECT_NEAR(solver.result()->ledger.residual().energy, 0, 1e-10);
}

TEST(Dense, StopsWithinAStep) {
    for (Device const& device : {Device::cpu(1), Device::reference()}) {
        Small s;
        int asked = 0, most = -1;
        s.options.progress = [&](auto, auto) { return asked++ != most; };
        s.options.device = device;
        auto solver = DenseSolver::create(physics(), s.phantom, s.beam, s.options).value();
        std::vector<double> const psi = random_state(solver.state()->size());
        ASSERT_TRUE(solver.set_state(psi));
        ASSERT_TRUE(solver.step());
        std::vector<double> const after = solver.state().value();
        int const all = asked;
        EXPECT_GE(all, 3);
        for (most = 0; most < all - 1; ++most) {
            ASSERT_TRUE(solver.set_state(psi));
            asked = 0;
            auto const stopped = solver.step();
            ASSERT_FALSE(stopped);
            EXPECT_EQ(stopped.error().code, Code::cancelled);
            EXPECT_FALSE(solver.step());
            EXPECT_FALSE(solver.state());
            EXPECT_FALSE(solver.result());
        }
        most = -1;
        ASSERT_TRUE(solver.set_state(psi));
        ASSERT_TRUE(solver.step());
        EXPECT_EQ(solver.state().value(), after);
        EXPECT_NEAR(solver.result()->ledger.residual().energy, 0, 1e-6);
    }
}

BraggMetrics metrics_of(DenseOptions const& o, Phantom const& phantom, Beam const& beam) {
    auto solver = DenseSolver::create(physics(), phantom, beam, o);
    EXPECT_TRUE(solver) << solver.error().text();
    EXPECT_TRUE(solver->run());
    return bragg_metrics(depth_dose(solver->result().value())).value();
}

TEST(Dense, EnergiesByRangeKeepTheFallOffAndUniformOnesSmearIt) {
    DenseOptions o;
    o.angles = 3;
    o.angle_window = 0.01;
    o.scattering = o.nuclear = false;
    Phantom const phantom = box(180, 8, 0.5, 2);
    Beam const beam = pencil(100, 1);
    double const range = physics().range(100);
    // A step apart, and so exact shifts.
    BraggMetrics const fine = metrics_of(o, phantom, beam);
    EXPECT_NEAR(fine.r80, range, 0.1);
    EXPECT_NEAR(fine.fall_off, 1.33 * 0.867, 0.1);
    o.energies = 100;
    o.spacing = EnergySpacing::uniform;
    o.energy_min = 1;
    o.energy_max = 110;
    o.straggling = false;
    BraggMetrics const coarse = metrics_of(o, phantom, beam);
    EXPECT_GT(coarse.fall_off, 4);
}

TEST(Dense, IsTheDoseOfTheMarch) {
    Phantom const phantom = box(90, 40, 0.5, 1);
    Beam beam = pencil(70, 4);
    beam.energy_spread = 0.5;
    DenseOptions o;
    o.angle_window = 0.35;
    o.angles = 41;
    auto solver = DenseSolver::create(physics(), phantom, beam, o).value();
    ASSERT_TRUE(solver.run());
    MarchResult const dense = solver.result().value();
    MarchOptions options;
    options.angle_step = 0.35 * 2 / 41;
    options.angle_window = 0.35;
    MarchResult const right = march(physics(), phantom, beam, options).value();
    GammaOptions gamma;
    gamma.dose = 0.02;
    gamma.distance = 1;
    GammaResult const g = gamma_index(dose_map(right), dose_map(dense), gamma).value();
    EXPECT_GE(g.passed, 0.99) << g.mean;
    double const all = std::accumulate(right.deposit.begin(), right.deposit.end(), 0.0);
    EXPECT_NEAR(std::accumulate(dense.deposit.begin(), dense.deposit.end(), 0.0), all, 0.01 * all);
    BraggMetrics const a = bragg_metrics(depth_dose(right)).value();
    BraggMetrics const b = bragg_metrics(depth_dose(dense)).value();
    EXPECT_NEAR(a.r80, b.r80, 0.2);
    EXPECT_NEAR(a.peak_to_entrance, b.peak_to_entrance, 0.05 * a.peak_to_entrance);
    EXPECT_LE(std::abs(dense.ledger.residual().energy), 1e-4 * dense.ledger.in.energy);
}

TEST(Dense, EmptyPartsNeedNoTimeAndDoNotMatter) {
    Small s;
    s.options.energies = 60;
    s.options.angles = 72;
    auto solver = DenseSolver::create(physics(), s.phantom, s.beam, s.options).value();
    s.options.threshold = 0;
    auto all = DenseSolver::create(physics(), s.phantom, s.beam, s.options).value();
    ASSERT_TRUE(solver.run());
    ASSERT_TRUE(all.run());
    MarchResult const few = solver.result().value(), every = all.result().value();
    EXPECT_LT(difference(every.deposit, few.deposit), 1e-8);
    EXPECT_LT(few.cells, every.cells);
}

TEST(Dense, TheStateIsHardlyMoreThanOneArray) {
    DenseOptions o;
    o.device = Device::cpu(2);
    Phantom const phantom = box(40, 40, 2, 2);
    auto const solver = DenseSolver::create(physics(), phantom, pencil(150, 3), o).value();
    double const array = 200.0 * 72 * 40 * 40 * sizeof(float);
    EXPECT_LE(static_cast<double>(solver.bytes()), 1.1 * array);
}

TEST(Dense, BadInput) {
    Phantom const phantom = box(10, 10, 1, 1);
    auto const message = [&](Phantom const& p, Beam const& b, auto change) {
        DenseOptions o;
        change(o);
        auto const s = DenseSolver::create(physics(), p, b, o);
        return s ? std::string() : s.error().message;
    };
    auto const same = [](DenseOptions&) {};
    Beam const beam = pencil(80, 1);
    EXPECT_EQ(message(phantom, beam, same), "");
    EXPECT_NE(message(phantom, pencil(std::nan(""), 1), same), "");
    EXPECT_NE(message(phantom, beam, [](DenseOptions& o) { o.energies = 2; }), "");
    EXPECT_NE(message(phantom, beam, [](DenseOptions& o) { o.angles = 2; }), "");
    EXPECT_NE(message(phantom, beam, [](DenseOptions& o) { o.energy_min = 90; }), "");
    EXPECT_NE(message(phantom, beam, [](DenseOptions& o) { o.energy_max = 50; }), "");
    EXPECT_NE(message(phantom, beam, [](DenseOptions& o) { o.energy_max = HUGE_VAL; }), "");
    EXPECT_NE(message(phantom, beam, [](DenseOptions& o) { o.step = 9; }), "");
    EXPECT_NE(message(phantom, beam, [](DenseOptions& o) { o.step = std::nan(""); }), "");
    EXPECT_NE(message(phantom, beam, [](DenseOptions& o) { o.angle_window = 4; }), "");
    EXPECT_NE(message(phantom, beam, [](DenseOptions& o) { o.threshold = 1; }), "");
    double const nan = std::nan("");
    EXPECT_NE(message(phantom, beam, [&](DenseOptions& o) { o.least_cosine = nan; }), "");
    EXPECT_NE(message(phantom, beam, [&](DenseOptions& o) { o.angle_cap = nan; }), "");
    Beam slanted = beam;
    slanted.angle = pi / 6;
    EXPECT_EQ(message(phantom, slanted, same), "");
    EXPECT_NE(message(phantom, slanted, [](DenseOptions& o) { o.angle_window = 0.35; })
                  .find("out of the window"),
              std::string::npos);
    Beam wide = beam;
    wide.energy_spread = 2;
    EXPECT_NE(message(phantom, wide, [](DenseOptions& o) { o.energy_max = 80; }).find("cuts"),
              std::string::npos);
    Phantom huge = box(2000, 2000, 1, 1);
    EXPECT_NE(message(huge, beam,
                      [](DenseOptions& o) {
                          o.energies = 500;
                          o.spacing = EnergySpacing::uniform;
                          o.precision = Precision::f64;
                      }),
              "");
    Phantom many = phantom;
    for (int k = 0; k < 17; ++k) {
        many.materials.push_back(material("water", 1 + 0.01 * k).value());
        many.map.assign(100, 0);
    }
    for (std::size_t n = 0; n < 100; ++n) many.map[n] = static_cast<std::uint16_t>(n % 18);
    EXPECT_NE(message(many, beam, same).find("materials"), std::string::npos);
    auto solver = DenseSolver::create(physics(), phantom, beam, {}).value();
    EXPECT_FALSE(solver.set_state({1, 2}));
    std::vector<double> psi = solver.state().value();
    psi[5] = -1;
    EXPECT_FALSE(solver.set_state(psi));
}

}  // namespace
}  // namespace sluice::proton
