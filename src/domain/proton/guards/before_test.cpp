// Guards of many beams: each kind is judged once, and it can be stopped.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <set>
#include <string>

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
    // Each of the others asks once, and each centimetre of water is judged once.
    EXPECT_LT(many, 4 * two + 198);
    auto wider = scan(4);
    wider[2].sigma_x = wider[3].sigma_x = 1;
    EXPECT_EQ(questions(with_beams(wider)), two + 2);
    // Over a map each place is one of its own.
    Config mapped = with_beams(scan(2));
    mapped.beams[1].energy = 60;
    mapped.phantom.map.assign(40 * 60, 0);
    Config same = mapped;
    same.beams[1].x = same.beams[0].x;
    EXPECT_GT(questions(mapped), questions(same) + 40);
    std::set<std::string> names;
    for (Guard const& g : guards_before(with_beams(scan(200))).value())
        EXPECT_TRUE(names.insert(g.name).second) << g.name;
    EXPECT_FALSE(names.empty());
}

// Each layer of a spread-out peak is off by more than what they leave together.
TEST(GuardsBefore, LayersAreJudgedTogether) {
    Config c;
    c.phantom = box("water", 90, 0.5, 60, 1);
    std::vector<double> const weights = {1, 0.6, 0.45, 0.38, 0.33, 0.3, 0.28, 0.26};
    double energy = 89.15;
    for (double const weight : weights) {
        c.beams.push_back({.energy = energy, .sigma_x = 3, .weight = weight});
        energy -= 1.2;
    }
    Config one = c;
    one.beams = {c.beams.back()};
    auto const together = guards_before(c).value(), alone = guards_before(one).value();
    ASSERT_TRUE(find(alone, "depth_dose"));
    EXPECT_NE(find(alone, "depth_dose")->text.find("80.75 MeV"), std::string::npos);
    EXPECT_FALSE(find(together, "let_dose"));
    EXPECT_FALSE(find(together, "depth_dose"));
    // Planes four times as thick are wrong for all of them.
    c.phantom = box("water", 90, 2, 60, 1);
    auto const thick = guards_before(c).value();
    ASSERT_TRUE(find(thick, "let_dose"));
    std::string const text = find(thick, "let_dose")->text;
    EXPECT_NE(text.find("8 layers of 80.75 to 89.15 MeV"), std::string::npos) << text;
    EXPECT_NE(text.find("mm deep"), std::string::npos) << text;
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
