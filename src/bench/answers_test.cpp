// Answers that agree, and what happens to those that do not.
// SPDX-License-Identifier: Apache-2.0
#include "bench/answers.h"

#include <gtest/gtest.h>

namespace sluice::bench {
namespace {

Bytes bytes_of(std::vector<std::uint8_t> const& v) {
    return std::as_bytes(std::span(v));
}

TEST(Answers, ChecksumSeesEveryByteAndItsPlace) {
    EXPECT_EQ(checksum({}), 0u);
    std::vector<std::uint8_t> v(19, 0);
    v[0] = 5;
    v[8] = 1;
    v[18] = 2;
    EXPECT_EQ(checksum(bytes_of(v)), 5u + 3 * 1 + 5 * (std::uint64_t{2} << 16));
    std::uint64_t const before = checksum(bytes_of(v));
    for (std::uint8_t& byte : v) {
        byte ^= 0x40;
        EXPECT_NE(checksum(bytes_of(v)), before);
        byte ^= 0x40;
    }
    std::swap(v[0], v[8]);
    EXPECT_NE(checksum(bytes_of(v)), before);
}

Contestant with(std::string name, Answer answer, bool rival = false) {
    Contestant who;
    who.contest = "race";
    who.name = std::move(name);
    who.rival = rival;
    who.answer = [answer]() -> Result<Answer> { return answer; };
    return who;
}

TEST(Answers, OursThatDifferStopEverything) {
    std::vector<std::string> notes;
    std::vector<Contestant> all{with("a", {1, 2, 3}), with("b", {1, 2, 3})};
    EXPECT_TRUE(compare_answers(all, notes));
    all.push_back(with("c", {1, 7, 3}));
    Status const found = compare_answers(all, notes);
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().code, Code::corrupt);
    EXPECT_TRUE(
        found.error().message.starts_with("'a' and 'c' give different answers in item 1 of race ("))
        << found.error().message;
    // One that is shorter differs where it ends.
    all[2] = with("c", {1, 2});
    EXPECT_NE(compare_answers(all, notes).error().message.find("in item 2 of"), std::string::npos);
    EXPECT_TRUE(notes.empty());
}

TEST(Answers, ThoseOfAnotherContestAreOthers) {
    std::vector<std::string> notes;
    std::vector<Contestant> all{with("a", {1}), with("b", {2}), with("c", {2})};
    all[1].contest = all[2].contest = "another race";
    Contestant floor;
    floor.contest = "race";
    floor.name = "has no answer";
    all.insert(all.begin(), floor);
    EXPECT_TRUE(compare_answers(all, notes));
}

TEST(Answers, ARivalThatDiffersSaysHow) {
    std::vector<std::string> notes;
    std::vector<Contestant> all{with("ours", {1, 2}), with("same", {1, 2}, true),
                                with("other", {1, 3}, true), with("mute", {0, 2}, true)};
    all[2].difference = [](std::size_t item) -> Result<std::string> {
        return "by " + std::to_string(item);
    };
    ASSERT_TRUE(compare_answers(all, notes));
    EXPECT_EQ(all[1].details["difference"], "same");
    EXPECT_EQ(all[2].details["difference"], "by 1");
    EXPECT_FALSE(all[2].out);
    EXPECT_TRUE(all[3].out);
    EXPECT_EQ(notes, (std::vector<std::string>{"other gives another answer in item 1 of race: by 1",
                                               "mute is left out of race: its answer differs"}));
}

TEST(Answers, ErrorsOfOursEndAndThoseOfRivalsAreNotes) {
    std::vector<std::string> notes;
    std::vector<Contestant> all{with("ours", {1}), with("theirs", {}, true)};
    all[1].answer = []() -> Result<Answer> { return Error{Code::io, "cannot read this"}; };
    ASSERT_TRUE(compare_answers(all, notes));
    EXPECT_TRUE(all[1].out);
    EXPECT_EQ(notes, std::vector<std::string>{"theirs is left out of race: cannot read this"});
    all[0].answer = []() -> Result<Answer> { return Error{Code::io, "gone"}; };
    Status const stopped = compare_answers(all, notes);
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().message, "'ours' of race stopped: gone");
}

TEST(Answers, ComparingCanBeStopped) {
    std::vector<std::string> notes;
    std::vector<Contestant> all{with("a", {1}), with("b", {1})};
    Status const stopped = compare_answers(all, notes, [](auto done, auto) { return done < 2; });
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().code, Code::cancelled);
}

}  // namespace
}  // namespace sluice::bench
