// All rules together: their order, their evidence, and their silence.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/profile/rules/facts_test.h"

namespace sluice::slide {
namespace {

TEST(ProfileRules, PlainFileSaysDecodingThreadsAndDisk) {
    std::vector<Finding> const all = findings_of(plain());
    ASSERT_EQ(all.size(), 3u);
    EXPECT_EQ(all[0].rule, "decoding");
    EXPECT_EQ(all[1].rule, "threads");
    EXPECT_EQ(all[2].rule, "disk");
}

TEST(ProfileRules, NoNumbersSayNothing) {
    EXPECT_TRUE(findings_of(Facts()).empty());
}

TEST(ProfileRules, TimesThatSayNothingGiveNoClaimAndOneAdvice) {
    std::vector<std::string> rules;
    for (Finding const& f : findings_of(everything())) rules.push_back(f.rule);
    EXPECT_EQ(rules, (std::vector<std::string>{"disk", "decoding", "composing", "filling",
                                               "threads", "idle", "slower cores", "opening",
                                               "no pyramid", "amplification", "order", "hidden"}));
    std::vector<Facts> bad(7, everything());
    // A few milliseconds; too few tiles.
    for (ReadFacts& r : bad[0].reads) r.wall_s /= 100, r.cpu_s /= 100;
    bad[1].tiles = 3;
    // Waiting that the steps saw, that only the clocks saw, that the host saw; and restless times.
    bad[2].reads[1].starved = 0.2;
    bad[3].reads[0].cpu_s = 0.5 * bad[3].reads[0].wall_s;
    bad[4].reads[2].steal = 0.1;
    bad[5].reads[2].spread = 0.8;
    bad[6].reads[2].wall_s = 100, bad[6].reads[2].starved = 0.9;
    constexpr std::array why = {"too short", "too short", "starved", "starved",
                                "starved",   "unsteady",  "starved"};
    for (std::size_t i = 0; i < bad.size(); ++i) {
        std::vector<Finding> const all = findings_of(bad[i]);
        // In three tiles there is no order to speak of.
        bool const few = bad[i].tiles < 8;
        ASSERT_EQ(all.size(), few ? 3u : 4u) << i;
        EXPECT_EQ(all[0].rule, why[i]);
        EXPECT_TRUE(all[0].advice.starts_with("To get an answer")) << all[0].advice;
        EXPECT_EQ(cannot_tell(bad[i])->rule, why[i]);
        // What is counted stays true, but it is no time to follow advice.
        EXPECT_EQ(all[1].rule, "amplification");
        if (!few) {
            EXPECT_EQ(all[2].rule, "order");
        }
        EXPECT_EQ(all.back().rule, "hidden");
        for (std::size_t k = 1; k < all.size(); ++k) EXPECT_EQ(all[k].advice, "");
    }
    EXPECT_FALSE(cannot_tell(everything()));
}

TEST(ProfileRules, EvidenceIsSureOrLikely) {
    Facts f = plain();
    f.reads[0].repeats = 5;
    f.reads[0].spread = 0.04;
    EXPECT_EQ(evidence(f, "decoding"),
              "sure: 4 s of computing in 4 s with one thread; 100 tiles, 5 reads within "
              "4 %");
    f.reads[0].spread = 0.2;
    EXPECT_TRUE(evidence(f, "decoding").starts_with("likely"));
    f.reads[0].spread = 0;
    f.reads[0].repeats = 1;
    EXPECT_TRUE(evidence(f, "decoding").starts_with("likely"));
    EXPECT_TRUE(evidence(f, "decoding").ends_with("1 read within 0 %"));
    f.reads[0].repeats = 3;
    f.tiles = 10;
    EXPECT_TRUE(evidence(f, "decoding").starts_with("likely"));
    for (Finding const& each : findings_of(everything())) {
        bool const counted = each.rule == "amplification" || each.rule == "order" ||
                             each.rule == "hidden" || each.rule == "no pyramid";
        EXPECT_EQ(each.evidence.empty(), counted) << each.rule;
    }
}

}  // namespace
}  // namespace sluice::slide
