// Patterns whose parts do not belong together are refused by whatever takes patterns, before any of
// them is read.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "domain/ptychography/test_simulate.h"
#include "sluice/ptychography_check.h"
#include "sluice/ptychography_judge.h"
#include "sluice/ptychography_search.h"

namespace sluice::ptycho {
namespace {

using stem4d::Patterns;

struct Misfit {
    char const* name;
    std::function<void(Patterns&)> make;
    char const* says;
};

Misfit const misfits[] = {
    {"a position more",
     [](Patterns& p) {
         p.positions.push_back({3, 3});
     },
     "there are 36 patterns of 32x32 pixels and 37 positions"},
    {"many more",
     [](Patterns& p) {
         p.positions.resize(4000, {3, 3});
     },
     "and 4000 positions"},
    {"a position less", [](Patterns& p) { p.positions.pop_back(); }, "and 35 positions"},
    {"a count less", [](Patterns& p) { std::visit([](auto& c) { c.pop_back(); }, p.counts); },
     "36863 counts for 36 positions"},
    {"no counts", [](Patterns& p) { std::visit([](auto& c) { c.clear(); }, p.counts); },
     "there are 0 patterns"},
    {"another size", [](Patterns& p) { p.size = 16; }, "144 patterns of 16x16"},
    {"no size", [](Patterns& p) { p.size = 0; }, "0 pixels a side"},
    {"a huge size", [](Patterns& p) { p.size = index{1} << 33; }, "8589934592 pixels a side"},
    {"a small mask", [](Patterns& p) { p.bad.assign(100, 0); }, "mask of bad pixels has 100"},
    {"a large mask", [](Patterns& p) { p.bad.assign(4096, 1); }, "mask of bad pixels has 4096"},
    {"a part of them", [](Patterns& p) { p.first = 5; }, "the patterns begin with pattern 5"},
    {"no number", [](Patterns& p) { p.positions[7].col = std::nan(""); }, "position 7 is ("},
    {"infinite", [](Patterns& p) { p.positions[8].row = HUGE_VAL; }, "position 8 is (inf"},
};

class Takers : public testing::Test {
  protected:
    Truth truth_ = simulate(32, 6, 5, 1e4, true);
    stem4d::PtychographyOptions quick_ = [this] {
        stem4d::PtychographyOptions options;
        options.stages[0].iterations = 1;
        options.probe = truth_.probe_as_given();
        return options;
    }();

    void expect_refused(std::function<Status(Patterns const&)> const& takes) {
        ASSERT_TRUE(takes(truth_.patterns));
        for (Misfit const& misfit : misfits) {
            Patterns patterns = truth_.patterns;
            misfit.make(patterns);
            Status const status = takes(patterns);
            ASSERT_FALSE(status) << misfit.name;
            EXPECT_EQ(status.error().code, Code::invalid_argument) << misfit.name;
            EXPECT_NE(status.error().message.find(misfit.says), std::string::npos)
                << misfit.name << ": " << status.error().message;
        }
    }
};

template <class T>
Status status_of(Result<T> const& result) {
    return result ? Status{} : Status{result.error()};
}

TEST_F(Takers, Check) {
    expect_refused([](Patterns const& p) { return stem4d::check_patterns(p); });
}
TEST_F(Takers, Reconstruction) {
    expect_refused([&](Patterns const& p) { return status_of(stem4d::ptychography(p, quick_)); });
}
TEST_F(Takers, Parts) {
    expect_refused([&](Patterns const& p) { return status_of(stem4d::part_of(p, {0, 1, 35})); });
    for (index const number : {index{-1}, index{36}})
        EXPECT_FALSE(stem4d::part_of(truth_.patterns, {0, number}));
}
TEST_F(Takers, Orientations) {
    expect_refused([&](Patterns const& p) { return status_of(stem4d::orientations(p, quick_)); });
}
TEST_F(Takers, Sweeps) {
    for (double const held_out : {0.0, 0.2})
        expect_refused([&](Patterns const& p) {
            auto const runs = stem4d::ptychography_sweep(
                p, {.base = quick_, .axes = {{"seed", {"1"}}}, .held_out = held_out});
            return status_of(runs);
        });
}
TEST_F(Takers, Halves) {
    for (auto const halves : {stem4d::Halves::patterns, stem4d::Halves::counts})
        expect_refused([&](Patterns const& p) {
            return status_of(stem4d::correlate_halves(p, quick_, halves));
        });
}
TEST_F(Takers, HeldOut) {
    auto const result = stem4d::ptychography(truth_.patterns, quick_).value();
    expect_refused(
        [&](Patterns const& p) { return status_of(stem4d::held_out_r(p, result, quick_)); });
    auto other = quick_;
    other.slices = 2;
    EXPECT_FALSE(stem4d::held_out_r(truth_.patterns, result, other));
    auto cut = result;
    cut.object.values.resize(100);
    EXPECT_FALSE(stem4d::held_out_r(truth_.patterns, cut, quick_));
    EXPECT_FALSE(stem4d::held_out_r(simulate(16, 6, 5, 1e4, false).patterns, result, quick_));
}

TEST_F(Takers, ResultsWhoseArraysDoNotFit) {
    auto const right = stem4d::ptychography(truth_.patterns, quick_).value();
    ASSERT_TRUE(stem4d::lit_part(right));
    using Change = std::function<void(stem4d::PtychographyResult&)>;
    Change const changes[] = {
        [](auto& r) { r = {}; },
        [](auto& r) {
            r.object.shape = {1, r.object.shape[1] + 1, r.object.shape[2]};
        },
        [](auto& r) { r.object.shape.erase(r.object.shape.begin()); },
        [](auto& r) {
            r.object.shape = {-1, -r.object.shape[1], r.object.shape[2]};
        },
        [](auto& r) { r.probe.values.pop_back(); },
        [](auto& r) {
            r.probe.shape = {1, 16, 64};
        },
        [](auto& r) {
            r.probe = Array<std::complex<float>>::zeros({1, 400, 400});
        },
        [](auto& r) { r.positions.clear(); },
        [](auto& r) { r.positions[3].row = std::nan(""); },
        [](auto& r) { r.positions[3].row = 1e30; },
        [](auto& r) { r.positions[3].col = -1; },
    };
    int number = 0;
    for (auto const& change : changes) {
        auto wrong = right;
        change(wrong);
        EXPECT_FALSE(stem4d::lit_part(wrong)) << number;
        EXPECT_FALSE(stem4d::judge(wrong)) << number;
        EXPECT_FALSE(stem4d::lit_phase(wrong)) << number;
        EXPECT_FALSE(stem4d::remove_ramp(wrong)) << number;
        ++number;
    }
}

TEST_F(Takers, TheCanvasIsTheObjects) {
    auto const result = stem4d::ptychography(truth_.patterns, quick_).value();
    auto const sides = stem4d::ptychography_canvas(truth_.patterns, quick_).value();
    EXPECT_EQ(sides[0], result.object.shape[1]);
    EXPECT_EQ(sides[1], result.object.shape[2]);
    auto wide = quick_;
    wide.margin = index{1} << 62;
    EXPECT_FALSE(stem4d::ptychography_canvas(truth_.patterns, wide));
    std::vector<std::string> notes;
    EXPECT_FALSE(stem4d::start_with(result, truth_.patterns, wide, &notes));
}

}  // namespace
}  // namespace sluice::ptycho
