// Kernels of proton beams on every instruction set against the reference, on random states that no
// beam would make, and whole marches.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/proton.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "device/isa.h"
#include "domain/proton/marching/kernels.h"
#include "domain/proton/marching/reference.h"
#include "sluice/proton_dense.h"

namespace sluice::proton::marching {
namespace {

constexpr index rows = 13, angles = 7, width = 48, stride = 64;

template <class Real>
struct Random {
    std::mt19937 engine{5};
    Real operator()(double low, double high) {
        return static_cast<Real>(std::uniform_real_distribution<double>(low, high)(engine));
    }
    std::vector<Real> many(index n, double low, double high) {
        std::vector<Real> v;
        for (index i = 0; i < n; ++i) v.push_back((*this)(low, high));
        return v;
    }
    // Steep, with holes, over many decades: what limits and tails have to deal with.
    std::vector<Real> state(index n) {
        std::vector<Real> v;
        for (index i = 0; i < n; ++i)
            v.push_back(engine() % 4 == 0 ? Real(0) : std::exp2((*this)(-40, 0)));
        return v;
    }
};

// Everything that an operator gives back, one number after the other.
using Numbers = std::vector<double>;

void append(Numbers& to, auto const& values) {
    for (auto const v : values) to.push_back(static_cast<double>(v));
}

template <class Real>
Numbers scattered(Kernels<Real> const& k) {
    Numbers out;
    Random<Real> random;
    for (int const passes : {0, 1, 3}) {
        auto state = random.state(rows * angles * stride);
        auto const p = random.many(width, 0, 0.4);
        std::vector<Real> sum(width);
        Leak leak;
        k.scatter({state.data(), angles, width, stride, angles * stride}, 4, p.data(), passes,
                  sum.data(), leak);
        append(out, state);
        append(out, sum);
        append(out, std::vector{leak.low, leak.high});
    }
    return out;
}

template <class Real>
Numbers drifted(Kernels<Real> const& k) {
    Numbers out;
    Random<Real> random;
    for (double const shift :
         {0.0, 0.3, -0.3, 1.0, -1.0, 0.9999, 7.6, -7.6, 1e-9, 46.5, 47.0, -47.5, 48.0, 1e6, -1e6})
        for (index const used : {index{3}, index{41}, width}) {
            auto state = random.state(rows * stride);
            for (index i = 0; i < rows; ++i)
                for (index x = used; x < stride; ++x)
                    state[static_cast<std::size_t>(i * stride + x)] = 0;
            std::vector<Leak> leaks(rows);
            std::vector<Real> scratch(2 * stride + 6);
            k.drift(state.data(), stride, state.data(), rows, stride, used, shift, leaks.data(),
                    scratch.data());
            append(out, state);
            for (Leak const& l : leaks) append(out, std::vector{l.low, l.high});
        }
    return out;
}

// Protons that lose much at once fall by `fall` rows.
template <class Real>
Numbers slowed(Kernels<Real> const& k, index fall) {
    Numbers out;
    Random<Real> random;
    for (Cut const cut : {Cut{0, 1, 0}, Cut{1, 1, 1}, Cut{3, 2, 2}, Cut{rows + 2, 1, 1},
                          Cut{0, 1, 1, 0.3, 0}, Cut{1, 1, 1, -0.6, 1}, Cut{2, 2, 1, 0.2, 1}}) {
        auto state = random.state(rows * width);
        auto energy = random.many(rows, 0, 5);
        for (std::size_t i = 1; i < energy.size(); ++i) energy[i] += energy[i - 1];
        auto const bend = random.many(rows, 0.1, 0.2), up = random.many(rows, 0, 0.2),
                   down = random.many(rows, 0, 0.2), loss = random.many(rows, 0, 0.01),
                   far = random.many(rows, 0, fall > 0 ? 0.05 : 0);
        double const whole = static_cast<double>(cut.whole) + cut.carried;
        auto after = energy;
        for (std::size_t i = 1; i < after.size(); ++i)
            after[i] -= static_cast<Real>(cut.carried) * (after[i] - energy[i - 1]);
        auto drop = energy;
        for (index i = cut.dropped; i < rows; ++i)
            drop[static_cast<std::size_t>(i)] -= after[static_cast<std::size_t>(i - cut.dropped)];
        auto const shift = random.many(width, whole, whole + cut.slowing * 0.8),
                   bends = random.many(width, 0, 0.1), straggling = random.many(width, 0, 2),
                   nuclear = random.many(width, 0, 2);
        std::vector<double> tallies(static_cast<std::size_t>(4 * width));
        auto const tally = [&](int n) { return tallies.data() + n * width; };
        k.slow(state.data(), rows, width, Real(1.05), cut,
               {shift.data(), bends.data(), straggling.data(), nuclear.data()},
               {energy.data(), after.data(), drop.data(), bend.data(), up.data(), down.data(),
                far.data(), loss.data(), fall},
               {tally(0), tally(1), tally(2), tally(3)});
        append(out, state);
        append(out, tallies);
    }
    return out;
}

template <class Real>
Numbers stored(Kernels<Real> const& k) {
    Random<Real> random;
    auto const state = random.state(rows * width);
    std::vector<Real> to(static_cast<std::size_t>(rows * stride)), sum(width);
    k.store(state.data(), rows, width, to.data(), stride, sum.data());
    Numbers out;
    append(out, to);
    append(out, sum);
    return out;
}

template <class Real>
std::vector<Numbers> all(Kernels<Real> const& k) {
    return {scattered(k), drifted(k), slowed(k, 0), slowed(k, 3), stored(k)};
}

template <class Real>
void compare(Kernels<Real> const& (*of)(Isa), Kernels<Real> const& reference, double tolerance) {
    auto const expected = all(reference), first = all(of(Isa::baseline));
    for (Isa const isa : compiled_isas()) {
        if (!runs_here(isa)) continue;
        auto const found = all(of(isa));
        // The order of addition is fixed.
        EXPECT_EQ(found, first) << name_of(isa);
        for (std::size_t op = 0; op < found.size(); ++op) {
            ASSERT_EQ(found[op].size(), expected[op].size());
            for (std::size_t i = 0; i < found[op].size(); ++i)
                ASSERT_NEAR(found[op][i], expected[op][i],
                            tolerance * std::max(1.0, std::abs(expected[op][i])))
                    << name_of(isa) << ", operator " << op << ", number " << i;
        }
    }
}

TEST(ProtonKernels, OnRandomStates) {
    compare<double>(kernels_f64, reference::kernels_f64(), 1e-14);
    compare<float>(kernels_f32, reference::kernels_f32(), 4e-6);
}

// A beam that comes in at an angle and goes half through bone and half through water, in a phantom
// so narrow that protons leave it everywhere. With long steps they drift by whole columns, fall by
// whole rows, and all that is done in passes needs several.
MarchResult marched(Device const& device, Precision precision, bool long_steps = false,
                    void (*change)(Phantom&, MarchOptions&) = nullptr) {
    static Physics const physics(WaterTable::icru90);
    Phantom p{.materials = {material("water").value(), material("cortical_bone").value()},
              .planes = long_steps ? 16 : 66,
              .columns = 37,
              .dz = long_steps ? 2 : 0.5,
              .dx = 0.5,
              .x0 = -8};
    double const bone = 5, behind = 12;
    for (index k = 0; k < p.planes; ++k)
        for (index x = 0; x < p.columns; ++x) {
            double const z = static_cast<double>(k) * p.dz;
            p.map.push_back(z >= bone && z < behind && x > 18);
        }
    MarchOptions o{.angle_window = 9 * 0.0174533,
                   .range_step = long_steps ? 0.25 : 0,
                   .precision = precision,
                   .device = device};
    o.threads = 2;
    Beam const beam{.energy = 62,
                    .energy_spread = 0.4,
                    .sigma_x = 1.5,
                    .angle = long_steps ? 0.3 : 0.06,
                    .divergence = 0.01,
                    .covariance = 0.004,
                    .weight = 2};
    if (change) change(p, o);
    return march(physics, p, beam, o).value();
}

// What a march may leave out, and grids as small as they can be.
struct Change {
    char const* name;
    void (*change)(Phantom&, MarchOptions&);
};
Change const changes[] = {
    {"one angle",
     [](Phantom&, MarchOptions& o) {
         o.scattering = false;
         o.angle_window = o.angle_step;
     }},
    {"no nuclear reactions", [](Phantom&, MarchOptions& o) { o.nuclear = false; }},
    {"no straggling", [](Phantom&, MarchOptions& o) { o.straggling = false; }},
    {"first order", [](Phantom&, MarchOptions& o) { o.splitting = Splitting::first_order; }},
    {"nothing given up", [](Phantom&, MarchOptions& o) { o.threshold = 0; }},
    {"much given up", [](Phantom&, MarchOptions& o) { o.threshold = 1e-4; }},
    {"four columns",
     [](Phantom& p, MarchOptions&) {
         p.map.clear();
         p.columns = 4;
         p.dx = 8;
         p.x0 = -16;
     }},
    {"layers, whose rows are carried",
     [](Phantom& p, MarchOptions&) {
         p.materials.push_back(material("air").value());
         for (index k = 0; k < p.planes; ++k)
             std::fill_n(p.map.begin() + k * p.columns, p.columns,
                         static_cast<std::uint16_t>(k % 9 < 3   ? 2
                                                    : k % 9 < 6 ? 1
                                                                : 0));
     }},
    {"vacuum and air",
     [](Phantom& p, MarchOptions&) {
         p.materials = {material("air").value(), material("vacuum").value()};
     }},
};

// The largest difference of two doses, as a part of the highest.
double difference(MarchResult const& a, MarchResult const& b) {
    double most = 0, top = 0;
    for (std::size_t i = 0; i < a.deposit.size(); ++i) {
        most = std::max(most, std::abs(a.deposit[i] - b.deposit[i]));
        top = std::max(top, b.deposit[i]);
    }
    return most / top;
}

class ProtonMarch : public ::testing::TestWithParam<Precision> {
  protected:
    static double tolerance() { return GetParam() == Precision::f64 ? 1e-12 : 1e-5; }

    static void expect_near(MarchResult const& found, MarchResult const& expected,
                            std::string_view name) {
        double const off = difference(found, expected);
        EXPECT_LE(off, tolerance()) << name;
        RecordProperty("difference_" + std::string(name), std::to_string(1e15 * off));
        Ledger const &l = found.ledger, &r = expected.ledger;
        for (auto const part : {&Ledger::stopped, &Ledger::left, &Ledger::right, &Ledger::end,
                                &Ledger::angles, &Ledger::nuclear, &Ledger::truncated}) {
            EXPECT_NEAR((l.*part).weight, (r.*part).weight, tolerance() * r.in.weight) << name;
            EXPECT_NEAR((l.*part).energy, (r.*part).energy, tolerance() * r.in.energy) << name;
        }
        EXPECT_LE(found.worst_weight, tolerance()) << name;
        EXPECT_LE(found.worst_energy, tolerance()) << name;
    }
};

TEST_P(ProtonMarch, IsTheSameOnEveryInstructionSetAndNearlyTheReference) {
    for (bool const long_steps : {false, true}) {
        MarchResult const expected = marched(Device::reference(), GetParam(), long_steps);
        MarchResult const first = marched(Device::cpu(2, Isa::baseline), GetParam(), long_steps);
        for (Isa const isa : compiled_isas()) {
            if (!runs_here(isa)) continue;
            MarchResult const found = marched(Device::cpu(2, isa), GetParam(), long_steps);
            EXPECT_EQ(found.deposit, first.deposit) << name_of(isa);
            EXPECT_EQ(found.cells, first.cells);
            expect_near(found, expected, name_of(isa));
        }
    }
}

TEST_P(ProtonMarch, OnADeviceOutOfReach) {
    for (bool const long_steps : {false, true})
        expect_near(marched(Device::fake(), GetParam(), long_steps),
                    marched(Device::reference(), GetParam(), long_steps), "fake");
}

TEST_P(ProtonMarch, WithPartsLeftOut) {
    for (auto const& [name, change] : changes) {
        auto const on = [&](Device const& d) { return marched(d, GetParam(), false, change); };
        MarchResult const expected = on(Device::reference());
        expect_near(on(Device::cpu(2)), expected, std::string("cpu, ") + name);
        expect_near(on(Device::fake()), expected, std::string("fake, ") + name);
        if (auto const gpu = Device::cuda())
            expect_near(on(*gpu), expected, std::string("cuda, ") + name);
    }
}

TEST_P(ProtonMarch, OnAGpu) {
    auto const gpu = Device::cuda();
    if (!gpu) GTEST_SKIP() << gpu.error().text();
    for (bool const long_steps : {false, true}) {
        MarchResult const found = marched(*gpu, GetParam(), long_steps);
        expect_near(found, marched(Device::reference(), GetParam(), long_steps), "cuda");
        EXPECT_EQ(marched(*gpu, GetParam(), long_steps).deposit, found.deposit);
    }
}

INSTANTIATE_TEST_SUITE_P(All, ProtonMarch, ::testing::Values(Precision::f32, Precision::f64),
                         [](auto const& info) {
                             return info.param == Precision::f32 ? "f32" : "f64";
                         });

// A dense step of a beam through water and bone; what it must be is the reference's.
TEST(ProtonDense, OnAGpu) {
    auto const gpu = Device::cuda();
    if (!gpu) GTEST_SKIP() << gpu.error().text();
    static Physics const physics(WaterTable::icru90);
    Phantom p{.materials = {material("water").value(), material("cortical_bone").value()},
              .planes = 20,
              .columns = 24,
              .dz = 1,
              .dx = 1,
              .x0 = -12};
    for (index n = 0; n < p.planes * p.columns; ++n)
        p.map.push_back(static_cast<std::uint16_t>(n % 24 > 12));
    for (Precision const precision : {Precision::f32, Precision::f64}) {
        auto const after = [&](Device const& device) {
            DenseOptions const o{.angles = 36, .precision = precision, .device = device};
            auto solver = DenseSolver::create(physics, p, {.energy = 40, .sigma_x = 2}, o).value();
            EXPECT_TRUE(solver.run());
            return solver.result().value();
        };
        MarchResult const right = after(Device::reference()), found = after(*gpu);
        EXPECT_LE(difference(found, right), precision == Precision::f64 ? 1e-12 : 1e-5);
        EXPECT_EQ(after(*gpu).deposit, found.deposit);
    }
}

}  // namespace
}  // namespace sluice::proton::marching
