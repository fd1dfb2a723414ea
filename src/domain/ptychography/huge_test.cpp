// Patterns with more than 2^31 elements: a cheap test on memory that is not touched, and one on
// real memory where SLUICE_BIG asks for it.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "base/memory.h"
#include "device/isa.h"
#include "domain/ptychography/step/fast_step.h"

namespace sluice::ptycho {
namespace {

constexpr index huge_side = 128, huge_count = 160000;  // 2.6e9 counts

std::vector<std::uint8_t> pattern_of(index number) {
    std::vector<std::uint8_t> counts;
    for (index i = 0; i < huge_side * huge_side; ++i)
        counts.push_back(static_cast<std::uint8_t>((i * (7 + number % 5)) % 23));
    return counts;
}

State<float> state_for(std::vector<stem4d::Position> positions) {
    State<float> state;
    state.positions = std::move(positions);
    Planar<float> object(huge_side + 8, huge_side + 8), mode(huge_side, huge_side);
    for (index r = 0; r < object.rows(); ++r)
        for (index c = 0; c < object.cols(); ++c)
            object.set(r, c, std::polar(1.0F, 0.01F * static_cast<float>((r * c) % 90)));
    for (index r = 0; r < huge_side; ++r)
        for (index c = 0; c < huge_side; ++c)
            mode.set(r, c, std::polar(3.0F, 0.001F * static_cast<float>(r * r - c)));
    state.object.push_back(std::move(object));
    state.probe.push_back(std::move(mode));
    return state;
}

void expect_equal(Planar<float> const& a, Planar<float> const& b) {
    for (index r = 0; r < a.rows(); ++r)
        for (index c = 0; c < a.cols(); ++c) ASSERT_EQ(a.at(r, c), b.at(r, c));
}

// The last pattern of many has the gradients that it has alone.
TEST(HugePatterns, AreReachedByBothSteps) {
    Measured alone{
        .patterns = {.size = huge_side, .counts = pattern_of(3), .positions = {{3, 4.3}}},
        .sums = {1e5},
        .squares = {1e6}};
    Measured many{.patterns = {.size = huge_side}};
    many.patterns.positions.assign(huge_count, {3, 4.3});
    many.sums.assign(huge_count, 1e5);
    many.squares.assign(huge_count, 1e6);
    std::vector<std::uint8_t> counts;
    try {
        // Reserved memory has no pages before it is written to.
        counts.reserve(static_cast<std::size_t>(huge_count * huge_side * huge_side));
    } catch (std::bad_alloc const&) {
        GTEST_SKIP() << "2.6 GB of addresses are not to be had here";
    }
    many.patterns.counts = std::move(counts);
    auto const& stored = std::get<std::vector<std::uint8_t>>(many.patterns.counts);
    auto* const last = const_cast<std::uint8_t*>(stored.data()) +
                       static_cast<std::ptrdiff_t>(huge_count - 1) * huge_side * huge_side;
    Model const model{.window = huge_side, .detector = huge_side};
    auto const state = state_for(alone.patterns.positions);
    auto const states = state_for(many.patterns.positions);
    index const first = 0, far = huge_count - 1;
    for (bool fast : {false, true}) {
        if (fast) {
            order_for_passes(alone, 1);
            many.in_order_of_passes = true;
        }
        auto const& small = std::get<std::vector<std::uint8_t>>(alone.patterns.counts);
        std::copy(small.begin(), small.end(), last);
        auto const step = [&](Measured const& measured) {
            return fast ? make_fast_step(model, measured, chosen_isa()).value()
                        : make_plain_step<float>(model, measured).value();
        };
        auto wanted = reserve(model, state, 1), found = reserve(model, states, 1);
        step(alone)->gradients(state, {&first, 1}, {}, wanted, 1);
        step(many)->gradients(states, {&far, 1}, {}, found, 1);
        expect_equal(wanted.front().object.front(), found.front().object.front());
        expect_equal(wanted.front().probe.front(), found.front().probe.front());
        EXPECT_EQ(wanted.front().errors.amplitude, found.front().errors.amplitude);
        EXPECT_GT(wanted.front().errors.amplitude, 0);
    }
}

TEST(HugePatterns, AreReconstructed) {
    if (std::getenv("SLUICE_BIG") == nullptr) GTEST_SKIP() << "SLUICE_BIG is not set";
    if (memory_available() < std::uint64_t{8} << 30) GTEST_SKIP() << "this takes 8 GB of memory";
    stem4d::Patterns patterns{.size = huge_side};
    std::vector<std::uint8_t> counts;
    counts.reserve(static_cast<std::size_t>(huge_count * huge_side * huge_side));
    for (index j = 0; j < huge_count; ++j) {
        auto const one = pattern_of(j);
        counts.insert(counts.end(), one.begin(), one.end());
        patterns.positions.push_back({static_cast<double>(j / 400), static_cast<double>(j % 400)});
    }
    patterns.counts = std::move(counts);
    auto const found = stem4d::ptychography(
        std::move(patterns),
        {.stages = {
             {.solver = stem4d::PtychographyStage::Solver::epie, .iterations = 1, .group = 64}}});
    ASSERT_TRUE(found) << found.error().text();
    EXPECT_TRUE(std::isfinite(found->rounds.front().r));
    EXPECT_EQ(found->positions.size(), static_cast<std::size_t>(huge_count));
}

}  // namespace
}  // namespace sluice::ptycho
