// Guards of many beams: each kind is judged once, and it can be stopped.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "domain/proton/guards/test_guards.h"
#include "sluice/proton_config.h"

namespace sluice::proton {
namespace {

Config with_beams(std::vector<Beam> beams) {
    Config c;
    c.phantom = box("water", 40, 1, 60, 1);
    c.beams = std::move(beams);
    return c;
}

std::vector<Beam> scan(int count) {
    std::vector<Beam> out;
    for (int i = 0; i < count; ++i)
        out.push_back({.energy = i % 2 ? 55.0 : 60.0, .x = i % 20 - 10.0, .sigma_x = 3});
    return out;
}

// How often the judgement of these beams asks whether to go on.
index questions(Config c) {
    index asked = 0;
    c.options.progress = [&](auto, auto) { return ++asked > 0; };
    EXPECT_TRUE(guards_before(c));
    return asked;
}

TEST(GuardsBefore, BeamsThatAreAlikeAreJudgedOnce) {
    index const two = questions(with_beams(scan(2))), many = questions(with_beams(scan(200)));
    EXPECT_GT(two, 40);
    // Each of the others asks once.
    EXPECT_EQ(many, two + 198);
    auto wider = scan(3);
    wider[2].sigma_x = 1;
    EXPECT_EQ(questions(with_beams(wider)), two + 1);
    // Over a map each place is one of its own.
    Config mapped = with_beams(scan(2));
    mapped.beams[1].energy = 60;
    mapped.phantom.map.assign(40 * 60, 0);
    Config same = mapped;
    same.beams[1].x = same.beams[0].x;
    EXPECT_GT(questions(mapped), questions(same) + 40);
    EXPECT_EQ(guards_before(with_beams(scan(200))).value().size(),
              guards_before(with_beams(scan(2))).value().size());
}

TEST(GuardsBefore, StopsWithinABeam) {
    Config c = with_beams(scan(2));
    index left = 5;
    c.options.progress = [&](std::uint64_t, std::uint64_t total) {
        EXPECT_EQ(total, 2);
        return --left > 0;
    };
    auto const stopped = guards_before(c);
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().code, Code::cancelled);
    // It is not asked again.
    EXPECT_EQ(left, 0);
}

}  // namespace
}  // namespace sluice::proton
