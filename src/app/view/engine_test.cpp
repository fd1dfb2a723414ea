// Tests of the queue of requests with a domain of a few lines: what is answered, and what is not.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/engine.h"

#include "app/view/test_engine.h"

namespace sluice::app {
namespace {

using Answer = std::function<void(Engine&, Job const&)>;

void finish(Engine& engine, Job const& job) {
    engine.finish(job, text_message(header_of(job)));
}

// Holds a thread of the engine until it is opened.
class Gate {
  public:
    void pass() {
        std::unique_lock lock(mutex_);
        ++waiting_;
        changed_.notify_all();
        changed_.wait(lock, [&] { return open_; });
    }
    void wait_for_somebody() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return waiting_ > 0; });
    }
    void open() {
        std::lock_guard lock(mutex_);
        open_ = true;
        changed_.notify_all();
    }

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    int waiting_ = 0;
    bool open_ = false;
};

class EngineTest : public testing::Test {
  protected:
    void ask(std::uint64_t id, Answer answer, std::string const& slot = "slot",
             ClientId client = 1) {
        Work work;
        work.echo = {{"asked", id}};
        work.subject = "subject";
        work.answer = std::move(answer);
        engine_.ask(client, {"look", slot, id}, std::move(work));
    }
    // Nothing was sent meanwhile: the answer of another slot, asked last, is what comes next.
    void expect_nothing_but_the_end() {
        ask(999, finish, "end");
        EXPECT_EQ(sent_.next()["id"], 999);
    }

    FakeDomain domain_;
    Sent sent_;
    Gate gate_;
    Engine engine_{domain_, sent_.post()};
};

TEST_F(EngineTest, AnAnswerNamesItsRequestAndItsSlotIsThePages) {
    ask(3, finish, "left");
    Json const answer = sent_.next();
    EXPECT_EQ(answer, Json::parse(R"({"op":"look","id":3,"slot":"left","request":{"asked":3}})"));
    EXPECT_EQ(sent_.last_slot, "page:left");
}

TEST_F(EngineTest, OnlyTheNewestOfASlotIsAnswered) {
    ask(1, [&](Engine& engine, Job const& job) {
        gate_.pass();
        EXPECT_FALSE(engine.newest(job));
        finish(engine, job);  // too late
    });
    gate_.wait_for_somebody();
    ask(2, finish);
    ask(3, finish);
    EXPECT_EQ(engine_.dropped(1), 1U);
    gate_.open();
    EXPECT_EQ(sent_.next()["id"], 3);
    expect_nothing_but_the_end();
}

TEST_F(EngineTest, WhatIsShownIsSentThoughItIsNotTheNewest) {
    ask(1, [&](Engine& engine, Job const& job) {
        gate_.pass();
        engine.show(job, text_message(header_of(job)), true);
    });
    gate_.wait_for_somebody();
    ask(2, finish);
    gate_.open();
    EXPECT_EQ(sent_.next()["id"], 1);
    EXPECT_EQ(sent_.next()["id"], 2);
}

TEST_F(EngineTest, AfterTheErrorOfABadRequestNothingOlderIsShown) {
    ask(1, [&](Engine& engine, Job const& job) {
        gate_.pass();
        engine.show(job, text_message(header_of(job)), true);
    });
    gate_.wait_for_somebody();
    engine_.reject(1, {"field 'x' is wrong", {"look", "slot", 2}, Code::unsupported});
    gate_.open();
    Json const error = sent_.next();
    EXPECT_EQ(error["id"], 2);
    EXPECT_EQ(error["code"], "unsupported");
    expect_nothing_but_the_end();
}

TEST_F(EngineTest, ForgottenRequestsAreNotAnswered) {
    ask(1, [&](Engine& engine, Job const& job) {
        gate_.pass();
        EXPECT_FALSE(engine.newest(job));
        engine.refuse(job, {Code::cancelled, "stopped"});
    });
    gate_.wait_for_somebody();
    ask(2, finish, "other");
    ask(3, finish, "slot", 2);
    engine_.forget(1, "slot");
    engine_.forget(1, "other");
    engine_.forget(2);
    gate_.open();
    expect_nothing_but_the_end();
}

TEST_F(EngineTest, ErrorsHaveACodeTheirRequestAndWhatTheDomainSays) {
    ask(4, [](Engine& engine, Job const& job) {
        engine.refuse(job, {Code::not_found, "it is not there"});
    });
    EXPECT_EQ(sent_.next(), Json::parse(R"({"op":"error","id":4,"slot":"slot","request":{"asked":4},
                              "message":"it is not there","code":"not_found",
                              "thing":"subject"})"));
    engine_.reject(1, {"field 'x' is wrong", {"", "slot", 5}});
    EXPECT_EQ(sent_.next(), Json::parse(R"({"op":"error","id":5,"slot":"slot","request":null,
                              "message":"field 'x' is wrong","code":"invalid_argument"
})"));
}

TEST_F(EngineTest, AnExceptionBecomesAnErrorAndTheThreadGoesOn) {
    ask(1, [](Engine&, Job const&) { throw std::runtime_error("surprise"); });
    Json const error = sent_.next();
    EXPECT_EQ(error["message"], "surprise");
    EXPECT_EQ(error["code"], "io");
    EXPECT_EQ(error["id"], 1);
    ask(2, [](Engine&, Job const&) { throw std::bad_alloc(); });
    EXPECT_EQ(sent_.next()["code"], "out_of_memory");
    ask(3, finish);
    EXPECT_EQ(sent_.next()["id"], 3);
}

TEST_F(EngineTest, WhatIsAnsweredAtOnceNeitherWaitsNorReplaces) {
    ask(1, [&](Engine& engine, Job const& job) {
        gate_.pass();
        finish(engine, job);
    });
    gate_.wait_for_somebody();
    Work work;
    work.at_once = true;
    work.answer = finish;
    engine_.ask(1, {"now", "slot", 2}, std::move(work));
    EXPECT_EQ(sent_.next()["op"], "now");
    gate_.open();
    EXPECT_EQ(sent_.next()["id"], 1);
}

TEST_F(EngineTest, ParkedRequestsAreAnsweredWhenTheirSubjectChanges) {
    int calls = 0;
    ask(1, [&](Engine& engine, Job const& job) {
        if (++calls > 1) return finish(engine, job);
        engine.park(job);
        gate_.pass();
    });
    gate_.wait_for_somebody();
    engine_.changed("another");
    gate_.open();
    expect_nothing_but_the_end();
    engine_.changed("subject");
    EXPECT_EQ(sent_.next()["id"], 1);
    EXPECT_EQ(calls, 2);
}

TEST_F(EngineTest, LaterIsOnASlowThreadAndNotBeforeItsTime) {
    auto const due = Clock::now() + std::chrono::milliseconds(30);
    ask(1, [&](Engine& engine, Job const& job) {
        if (!job.slow) return engine.later(job, due);
        EXPECT_GE(Clock::now(), due);
        finish(engine, job);
    });
    // One that is replaced while it rests is not answered.
    ask(
        2,
        [](Engine& engine, Job const& job) {
            engine.later(job, Clock::now() + std::chrono::hours(1));
        },
        "rests");
    ask(3, finish, "rests");
    Json const first = sent_.next(), second = sent_.next();
    EXPECT_EQ(first["id"], 3);
    EXPECT_EQ(second["id"], 1);
}

TEST_F(EngineTest, SlotsRestSideBySide) {
    auto const due = Clock::now() + std::chrono::milliseconds(30);
    auto const rests = [&](Engine& engine, Job const& job) {
        job.slow ? finish(engine, job) : engine.later(job, due);
    };
    ask(1, rests, "left");
    ask(2, rests, "right");
    EXPECT_EQ(sent_.next()["id"], 1);
    EXPECT_EQ(sent_.next()["id"], 2);
}

TEST_F(EngineTest, AgainMayWaitWhileOthersAreAnswered) {
    auto const due = Clock::now() + std::chrono::milliseconds(30);
    ask(
        1,
        [&](Engine& engine, Job const& job) {
            if (Clock::now() < due) return engine.again(job, due);
            EXPECT_FALSE(job.slow);
            finish(engine, job);
        },
        "waits");
    // One that is replaced while it waits is not answered.
    ask(
        2,
        [](Engine& engine, Job const& job) {
            engine.again(job, Clock::now() + std::chrono::hours(1));
        },
        "goes");
    ask(3, finish, "goes");
    EXPECT_EQ(sent_.next()["id"], 3);
    EXPECT_EQ(sent_.next()["id"], 1);
}

TEST_F(EngineTest, AgainIsFromTheStart) {
    int calls = 0;
    ask(1, [&](Engine& engine, Job const& job) {
        ++calls;
        if (calls == 1) return engine.later(job, Clock::now());
        if (calls == 2) return engine.again(job);
        EXPECT_FALSE(job.slow);
        finish(engine, job);
    });
    EXPECT_EQ(sent_.next()["id"], 1);
    EXPECT_EQ(calls, 3);
    EXPECT_EQ(engine_.dropped(1), 0U);
}

TEST_F(EngineTest, LimitsTheSlotsOfEachClient) {
    ask(
        0, [&](Engine&, Job const&) { gate_.pass(); }, "held");
    gate_.wait_for_somebody();
    for (std::uint64_t i = 1; i < Slots::most; ++i) ask(i, finish, std::to_string(i));
    ask(200, finish, "one more");
    Json const refused = sent_.next();
    EXPECT_EQ(refused["id"], 200);
    EXPECT_EQ(refused["op"], "error");
    EXPECT_EQ(refused["code"], "invalid_argument");
    EXPECT_EQ(refused["request"]["asked"], 200);
    // A slot that waits takes a newer request, and another client has slots of its own.
    ask(201, finish, "1");
    ask(202, finish, "one more", 2);
    gate_.open();
    bool newer = false, others = false;
    for (int i = 0; i < Slots::most; ++i) {
        Json const answer = sent_.next();
        EXPECT_EQ(answer["op"], "look");
        newer = newer || answer["id"] == 201;
        others = others || answer["id"] == 202;
    }
    EXPECT_TRUE(newer);
    EXPECT_TRUE(others);
}

}  // namespace
}  // namespace sluice::app
