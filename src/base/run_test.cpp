// A run: who counts, who is asked, whose error it has, and what is said where it was stopped.
// SPDX-License-Identifier: Apache-2.0
#include "base/run.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace sluice {
namespace {

TEST(Cancelled, SaysWhatIsLeft) {
    EXPECT_EQ(cancelled().text(), "stopped");
    EXPECT_EQ(cancelled("nothing was written", "a.npy").text(),
              "a.npy: stopped; nothing was written");
    EXPECT_EQ(cancelled().code, Code::cancelled);
}

TEST(Cancelled, IsTheAnswerToANo) {
    EXPECT_TRUE(tell_progress({}, 1, 2));
    EXPECT_TRUE(tell_progress([](auto, auto) { return true; }, 1, 2));
    auto const no =
        tell_progress([](auto done, auto all) { return done < all; }, 2, 2, "a half is there");
    ASSERT_FALSE(no);
    EXPECT_EQ(no.error().text(), "stopped; a half is there");
}

TEST(Run, GoesOnWhereNobodyAsks) {
    sluice::Run run;
    run.done(3);
    run.report();
    EXPECT_TRUE(run.wanted());
    EXPECT_TRUE(run.check());
    EXPECT_FALSE(run.stopped());
}

TEST(Run, ReportsWhatWasDoneAndStopsAtANo) {
    std::vector<index> told;
    sluice::Run run(
        [&](index done) {
            told.push_back(done);
            return done < 5;
        },
        "the rest is left out");
    run.done(2);
    run.report();  // nothing is new
    EXPECT_TRUE(run.wanted());
    run.done(3);
    EXPECT_TRUE(run.stopped());
    run.done();
    run.report();
    EXPECT_FALSE(run.wanted());
    EXPECT_EQ(told, (std::vector<index>{2, 2, 5}));
    auto const status = run.status();
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().text(), "stopped; the rest is left out");
    // A piece that was stopped fails, too.
    run.fail(Error{Code::corrupt, "a piece"}, -7);
    EXPECT_EQ(run.status().error().code, Code::cancelled);
}

TEST(Run, TellsAProgressOfHowMany) {
    std::vector<std::uint64_t> told;
    Progress const progress = [&](std::uint64_t done, std::uint64_t all) {
        told.insert(told.end(), {done, all});
        return true;
    };
    sluice::Run run(progress, 4);
    run.done();
    run.done(5);
    EXPECT_EQ(told, (std::vector<std::uint64_t>{1, 4, 4, 4}));
    sluice::Run silent(Progress(), 4);
    silent.done();
    EXPECT_TRUE(silent.wanted());
}

TEST(Run, HasTheErrorOfTheLowestNumber) {
    sluice::Run run;
    run.fail(Error{Code::io, "third"}, 3);
    EXPECT_TRUE(run.stopped());
    run.fail(Error{Code::corrupt, "first"}, 1);
    run.fail(Error{Code::io, "second"}, 2);
    run.fail(Error{Code::io, "first again"}, 1);
    EXPECT_EQ(run.status().error().message, "first");
}

TEST(Run, EndsWithoutAnError) {
    sluice::Run run;
    run.end();
    EXPECT_FALSE(run.wanted());
    EXPECT_TRUE(run.status());
}

TEST(Run, IsToldByOneThreadAtATime) {
    int inside = 0;
    index last = 0;
    bool alone = true, grows = true;
    sluice::Run run([&](index done) {
        alone = alone && ++inside == 1;
        grows = grows && done >= last;
        last = done;
        --inside;
        return true;
    });
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&] {
            for (int i = 0; i < 1000; ++i) {
                run.done();
                run.wanted();
            }
        });
    for (auto& t : threads) t.join();
    run.report();
    EXPECT_TRUE(alone && grows);
    EXPECT_EQ(last, 4000);
}

}  // namespace
}  // namespace sluice
