// Tests of the engine without a server.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/session.h"

#include "app/view/test_engine.h"

namespace sluice::app {
namespace {

// What each client was told, in order.
class Told {
  public:
    Session::Deliver deliver() {
        return [this](ClientId client, server::SharedMessage const& message) {
            std::lock_guard lock(mutex_);
            all_.emplace_back(client, Json::parse(message->bytes));
            arrived_.notify_all();
        };
    }
    // The first message to a client of which `wanted` holds, and how many came before it.
    template <class F>
    std::pair<Json, std::size_t> until(ClientId client, F&& wanted) {
        std::unique_lock lock(mutex_);
        std::size_t at = 0, before = 0;
        auto const found = [&] {
            for (; at < all_.size(); ++at) {
                if (all_[at].first != client) continue;
                if (wanted(all_[at].second)) return true;
                ++before;
            }
            return false;
        };
        if (!arrived_.wait_for(lock, std::chrono::seconds(20), found)) return {};
        return {all_[at].second, before};
    }

  private:
    std::mutex mutex_;
    std::condition_variable arrived_;
    std::vector<std::pair<ClientId, Json>> all_;
};

std::unique_ptr<FakeDomain> domain() {
    auto made = std::make_unique<FakeDomain>();
    made->understands = [](std::string const& op, Fields const&) -> Result<Work> {
        if (op != "look") return wrong_field("op", "is not known");
        Work work;
        work.answer = [](Engine& engine, Job const& job) {
            engine.finish(job, text_message(header_of(job)));
        };
        return work;
    };
    return made;
}

auto const is_hello = [](Json const& j) { return j["op"] == "hello"; };

TEST(SessionTest, GreetsAndAnswersEachClientAlone) {
    Told told;
    Session session(domain(), told.deliver());
    ClientId const one = session.open(true), other = session.open(false);
    EXPECT_EQ(told.until(one, is_hello).second, 0U);
    EXPECT_EQ(told.until(other, is_hello).first["things"], Json({1, 2}));
    EXPECT_TRUE(session.submit(other, R"({"op":"look","id":7,"slot":"s"})"));
    auto const [answer, before] =
        told.until(other, [](Json const& j) { return j["op"] == "look"; });
    EXPECT_EQ(answer["id"], 7);
    EXPECT_EQ(before, 1U);
    EXPECT_EQ(session.notes(), std::vector<std::string>{"a note"});
}

TEST(SessionTest, WhatIsForAllComesAfterHello) {
    Told told;
    auto made = domain();
    std::optional<Shell> shell;
    made->begins = [&](Shell const& given) { shell.emplace(given); };
    Session session(std::move(made), told.deliver());
    ClientId const one = session.open(true), other = session.open(true);
    shell->tell("news", [] { return Json{{"op", "news"}}; });
    auto const is_news = [](Json const& j) { return j["op"] == "news"; };
    EXPECT_EQ(told.until(one, is_news).second, 1U);
    EXPECT_EQ(told.until(other, is_news).second, 1U);
}

TEST(SessionTest, TheSixthMistakeInARowCloses) {
    Told told;
    Session session(domain(), told.deliver());
    ClientId const client = session.open(false);
    for (int i = 0; i < 5; ++i) EXPECT_TRUE(session.submit(client, "no JSON"));
    EXPECT_FALSE(session.submit(client, "no JSON"));
    EXPECT_FALSE(session.submit(client, R"({"op":"look","id":1,"slot":"s"})"));
    EXPECT_FALSE(session.submit(99, "{}"));
}

TEST(SessionTest, AClientThatLeftIsToldNothing) {
    Told told;
    Session session(domain(), told.deliver());
    ClientId const gone = session.open(false), here = session.open(false);
    told.until(gone, is_hello);
    session.close(gone);
    EXPECT_FALSE(session.submit(gone, R"({"op":"look","id":1,"slot":"s"})"));
    EXPECT_TRUE(session.submit(here, R"({"op":"look","id":2,"slot":"s"})"));
    EXPECT_EQ(told.until(here, [](Json const& j) { return j["op"] == "look"; }).first["id"], 2);
}

}  // namespace
}  // namespace sluice::app
