// Tests of the shell over its socket, with a domain of a few lines.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/viewer.h"

#include "app/view/test_engine.h"
#include "app/view/test_viewer.h"

namespace sluice::app {
namespace {

Result<Work> understand(std::string const& op, Fields const&) {
    if (op == "stumble") throw std::runtime_error("it stumbled");
    if (op != "look" && op != "fall")
        return wrong_field("op", fmt::format("'{}' is not known", op));
    Work work;
    work.echo = {{"op", op}};
    work.subject = "thing";
    work.answer = [fall = op == "fall"](Engine& engine, Job const& job) {
        if (fall) throw std::runtime_error("it fell");
        engine.finish(job, text_message(header_of(job)));
    };
    return work;
}

class ViewerTest : public ViewerFixture {
  protected:
    ViewerTest() : domain(std::make_unique<FakeDomain>()) { domain->understands = understand; }
    void start() { ViewerFixture::start(std::unique_ptr<Domain>(std::move(domain))); }

    std::unique_ptr<FakeDomain> domain;
};

TEST_F(ViewerTest, HelloHasWhatTheDomainSays) {
    start();
    EXPECT_EQ(viewer_->notes(), std::vector<std::string>{"a note"});
    Json const hello = Page(port()).hello;
    EXPECT_EQ(hello["op"], "hello");
    EXPECT_EQ(hello["protocol"], 1);
    EXPECT_FALSE(hello["version"].get<std::string>().empty());
    EXPECT_EQ(hello["things"], Json({1, 2}));
    EXPECT_EQ(hello["notes"], Json({"a note"}));
}

TEST_F(ViewerTest, AnswersRequestsAndPings) {
    start();
    Page page(port());
    EXPECT_EQ(page.answer_to(page.ask("look", "s")).header["op"], "look");
    Json const pong = page.answer_to(page.ask("ping", "p")).header;
    EXPECT_EQ(pong["op"], "pong");
    EXPECT_EQ(pong["slot"], "p");
    EXPECT_EQ(pong["thing"], "");
}

TEST_F(ViewerTest, EveryErrorHasACodeAndItsRequest) {
    start();
    Page page(port());
    Json const unknown = page.answer_to(page.ask("fly", "s")).header;
    EXPECT_EQ(unknown["op"], "error");
    EXPECT_EQ(unknown["code"], "invalid_argument");
    EXPECT_EQ(unknown["message"], "field 'op' ('fly' is not known)");
    EXPECT_TRUE(unknown["request"].is_null());
    Json const fell = page.answer_to(page.ask("fall", "s")).header;
    EXPECT_EQ(fell["op"], "error");
    EXPECT_EQ(fell["code"], "io");
    EXPECT_EQ(fell["message"], "it fell");
    EXPECT_EQ(fell["request"]["op"], "fall");
    Json const stumbled = page.answer_to(page.ask("stumble", "s")).header;
    EXPECT_EQ(stumbled["code"], "io");
    EXPECT_EQ(stumbled["message"], "it stumbled");
    EXPECT_EQ(page.answer_to(page.ask("look", "s")).header["op"], "look");
}

TEST_F(ViewerTest, TheSixthMistakeInARowEndsAClient) {
    start();
    Page page(port()), careless(port());
    for (int i = 0; i < 5; ++i) careless.ask("fly", "s");
    // One that is understood makes up for those before it.
    EXPECT_EQ(careless.until([](Json const& h) { return h["op"] == "error"; }).header["slot"], "s");
    EXPECT_EQ(careless.answer_to(careless.ask("look", "t")).header["op"], "look");
    for (int i = 0; i < 5; ++i) careless.ask("fly", "s");
    EXPECT_EQ(careless.answer_to(careless.ask("look", "t")).header["op"], "look");
    for (int i = 0; i < 6; ++i) careless.client.send("{");
    EXPECT_EQ(careless.client.wait_for_close(), 1008U);
    EXPECT_EQ(page.answer_to(page.ask("look", "s")).header["op"], "look");
}

TEST_F(ViewerTest, TellsAllPagesWhatTheDomainTells) {
    std::optional<Shell> shell;
    domain->begins = [&](Shell const& given) { shell.emplace(given); };
    start();
    Page a(port()), b(port());
    shell->tell("news", [] { return Json{{"op", "news"}, {"of", 7}}; });
    for (Page* page : {&a, &b}) EXPECT_EQ(page->next().header["of"], 7);
}

TEST_F(ViewerTest, TakesTheNextPortWhereThatIsAllowed) {
    start();
    ViewerOptions options;
    options.server.port = port();
    EXPECT_FALSE(Viewer::start(std::make_unique<FakeDomain>(), options));
    options.try_next_ports = true;
    auto const next = Viewer::start(std::make_unique<FakeDomain>(), options);
    ASSERT_TRUE(next) << next.error().text();
    EXPECT_NE(next->url(), viewer_->url());
}

TEST_F(ViewerTest, GivesTheDomainsPage) {
    static server::Asset const page{"text/html", "fake"};
    std::string asked;
    ViewerOptions options;
    options.server.token = "secret";
    options.server.asset = [&](std::string_view path) {
        asked = path;
        return path == "/fake.html" ? &page : nullptr;
    };
    auto viewer = Viewer::start(std::move(domain), std::move(options));
    ASSERT_TRUE(viewer) << viewer.error().text();
    viewer_.emplace(std::move(*viewer));
    thread_ = std::thread([this] { viewer_->run([] { return false; }); });
    EXPECT_EQ(server::http_get(port(), "/?token=secret").status, 200U);
    EXPECT_EQ(asked, "/fake.html");
}

}  // namespace
}  // namespace sluice::app
