// Tests of the server over real sockets.
// SPDX-License-Identifier: Apache-2.0
#include "server/server.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <thread>

#include "server/test_client.h"

namespace sluice::server {
namespace {

using tcp = boost::asio::ip::tcp;

Asset const index_page{"text/html; charset=utf-8", "not really gzip"};

// Answers "echo X" with X, and does not understand "nonsense".
struct Echo final : Handler {
    Server* server = nullptr;
    std::atomic<int> visited_count = 0, opened_count = 0, closed_count = 0;
    int refusals = 0;

    void visited() override { ++visited_count; }
    void opened(ClientId) override { ++opened_count; }
    bool received(ClientId client, std::string_view text) override {
        if (text == "nonsense") return false;
        if (text == "refuse me") {  // as the viewer does: each refusal in a slot of its own
            for (int i = 0; i < 10; ++i)
                send(client, std::to_string(++refusals), std::string(1000, 'x'), false);
            return true;
        }
        if (text == "in order") {  // one message of the server's own thread, then one of another
            send(client, "", "first", false);
            std::thread([&] { send(client, "", "second", false); }).join();
            return true;
        }
        if (text == "much") {  // more than the buffers of the two sockets hold
            for (int i = 0; i < 32; ++i) send(client, "", std::string(1 << 20, 'x'), true);
            return true;
        }
        if (text.starts_with("flood"))
            for (int i = 0; i < 200; ++i) send(client, "flood", std::string(1 << 20, 'x'), true);
        else
            send(client, "", std::string(text), false);
        return true;
    }
    void closed(ClientId) override { ++closed_count; }
    void drained(ClientId) override {}

    void send(ClientId client, std::string slot, std::string text, bool binary) {
        server->send(client, std::move(slot),
                     std::make_shared<Message>(Message{std::move(text), binary}));
    }
};

class ServerTest : public testing::Test {
  protected:
    void SetUp() override {
        Options options;
        options.token = "secret";
        options.max_clients = 8;
        options.max_visitors = 12;
        options.max_visitors_at = 10;
        options.max_message = 1000;
        options.asset = [](std::string_view path) { return path == "/" ? &index_page : nullptr; };
        settle(options);
        auto server = Server::listen(options);
        ASSERT_TRUE(server) << server.error().text();
        server_.emplace(std::move(*server));
        echo_.server = &*server_;
        thread_ = std::thread([this] { server_->run(echo_, [] { return false; }); });
    }
    void TearDown() override {
        if (!server_) return;
        server_->stop();
        thread_.join();
    }
    virtual void settle(Options&) {}
    std::uint16_t port() const { return server_->port(); }
    template <class F>
    static bool becomes(F&& condition) {
        for (int i = 0; i < 6000; ++i) {  // ends what hangs
            if (condition()) return true;
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        return false;
    }

    std::optional<Server> server_;
    Echo echo_;
    std::thread thread_;
};

TEST_F(ServerTest, ServesThePageToWhoKnowsTheToken) {
    HttpAnswer const page = http_get(port(), "/?token=secret");
    EXPECT_EQ(page.status, 200U);
    EXPECT_EQ(page.body, index_page.gzip);
    EXPECT_EQ(page.type, index_page.type);
    EXPECT_NE(page.policy.find("default-src 'none'"), std::string::npos);
    EXPECT_EQ(http_get(port(), "/?token=wrong").status, 403U);
    EXPECT_NE(http_get(port(), "/").body.find("sluice view"), std::string::npos);
    EXPECT_EQ(http_get(port(), "/").status, 403U);
    EXPECT_EQ(echo_.visited_count, 1);
}

TEST_F(ServerTest, RefusesForeignNamesMethodsAndPaths) {
    EXPECT_EQ(http_get(port(), "/?token=secret", {}, "evil.example").status, 403U);
    EXPECT_EQ(http_get(port(), "/?token=secret", {"Origin: http://evil.example"}).status, 403U);
    EXPECT_EQ(http_get(port(), "/?token=secret", {}, "", "POST").status, 405U);
    EXPECT_EQ(http_get(port(), "/?token=secret", {}, "", "HEAD").status, 200U);
    EXPECT_EQ(http_get(port(), "/../etc/passwd").status, 404U);
    EXPECT_EQ(http_get(port(), "/live?token=secret").status, 426U);
    EXPECT_EQ(http_get(port(), "/live?token=wrong").status, 403U);
}

TEST_F(ServerTest, RefusesLargeHeadersAndBodies) {
    EXPECT_EQ(http_get(port(), "/?token=secret", {"X: " + std::string(20000, 'x')}).status, 413U);
    EXPECT_EQ(http_get(port(), "/?token=secret", {"Content-Length: 100000000"}).status, 413U);
}

TEST_F(ServerTest, KeepsTheOrderOfWhatSeveralThreadsSend) {
    TestClient client(port(), "secret", fmt::format("http://127.0.0.1:{}", port()));
    client.send("in order");
    EXPECT_EQ(client.receive().bytes, "first");
    EXPECT_EQ(client.receive().bytes, "second");
}

TEST_F(ServerTest, TalksToItsOwnPageOnly) {
    TestClient client(port(), "secret", fmt::format("http://127.0.0.1:{}", port()));
    client.send("hello");
    EXPECT_EQ(client.receive().bytes, "hello");
    EXPECT_THROW(TestClient(port(), "wrong"), boost::system::system_error);
    EXPECT_THROW(TestClient(port(), "secret", "http://evil.example"), boost::system::system_error);
    EXPECT_THROW(TestClient(port(), "secret", "null"), boost::system::system_error);
}

TEST_F(ServerTest, ClosesOnMessagesThatAreTooLargeOrNotUnderstood) {
    TestClient large(port()), binary(port()), nonsense(port());
    large.send(std::string(1001, 'x'));
    EXPECT_EQ(large.wait_for_close(), 1009U);
    binary.send_binary("x");
    EXPECT_EQ(binary.wait_for_close(), 1003U);
    nonsense.send("nonsense");
    EXPECT_EQ(nonsense.wait_for_close(), 1008U);
    TestClient fine(port());
    fine.send("still there");
    EXPECT_EQ(fine.receive().bytes, "still there");
}

TEST_F(ServerTest, SendsToAll) {
    TestClient a(port()), b(port());
    ASSERT_TRUE(becomes([&] { return echo_.opened_count == 2; }));
    // News from before a client was greeted is older than its greeting.
    echo_.send(0, "old", "too early", false);
    echo_.send(1, "greeting", "hello", false);
    echo_.send(2, "greeting", "hello", false);
    echo_.send(0, "news", "to all", false);
    EXPECT_EQ(a.receive().bytes, "hello");
    EXPECT_EQ(b.receive().bytes, "hello");
    EXPECT_EQ(a.receive().bytes, "to all");
    EXPECT_EQ(b.receive().bytes, "to all");
}

TEST_F(ServerTest, KeepsTheNewestForAClientThatDoesNotRead) {
    TestClient slow(port()), other(port());
    slow.send("flood");
    // The other one is served although two hundred megabytes were made for the slow one.
    other.send("quick");
    EXPECT_EQ(other.receive().bytes, "quick");
    ASSERT_TRUE(becomes([&] { return server_->backlog(1).dropped > 0; }));
    EXPECT_LE(server_->backlog(1).bytes, std::size_t{2} << 20);
    int received = 0;
    slow.send("end");
    for (Message m = slow.receive(); m.bytes != "end"; m = slow.receive()) ++received;
    EXPECT_LT(received, 200);
    EXPECT_GE(received, 1);
}

TEST_F(ServerTest, NoticesWhoLeft) {
    {
        TestClient polite(port()), rude(port());
        ASSERT_TRUE(becomes([&] { return echo_.opened_count == 2; }));
        polite.close();
        rude.vanish();
    }
    EXPECT_TRUE(becomes([&] { return echo_.closed_count == 2; }));
}

TEST_F(ServerTest, TurnsAwayOneTooMany) {
    std::vector<std::unique_ptr<TestClient>> clients;
    for (int i = 0; i < 8; ++i) clients.push_back(std::make_unique<TestClient>(port()));
    EXPECT_EQ(http_get(port(), "/live?token=secret").status, 503U);
    EXPECT_THROW(TestClient{port()}, boost::system::system_error);
    EXPECT_EQ(http_get(port(), "/?token=secret").status, 200U);
    clients.clear();
    EXPECT_TRUE(becomes([&] { return http_get(port(), "/live?token=secret").status == 426U; }));
}

TEST_F(ServerTest, DropsWhoHalfClosesAndDoesNotRead) {
    TestClient client(port());
    client.send("flood");
    ASSERT_TRUE(becomes([&] { return server_->backlog(1).dropped > 0; }));
    client.half_close();
    EXPECT_TRUE(becomes([&] { return echo_.closed_count == 1; }));
}

// A socket that has sent a part of a request, or nothing.
struct HalfOpen {
    explicit HalfOpen(std::uint16_t port, std::string const& said = "",
                      char const* host = "127.0.0.1")
        : socket(io) {
        socket.open(tcp::v4());
        // Of another address of this machine.
        socket.bind({boost::asio::ip::make_address(host), 0});
        socket.connect({boost::asio::ip::make_address("127.0.0.1"), port});
        boost::asio::write(socket, boost::asio::buffer(said));
    }
    /// Whether the server has closed it.
    bool ended() {
        char byte = 0;
        boost::system::error_code failed;
        socket.non_blocking(true);
        socket.read_some(boost::asio::buffer(&byte, 1), failed);
        return failed && failed != boost::asio::error::would_block;
    }
    boost::asio::io_context io;
    tcp::socket socket;
};

TEST_F(ServerTest, HalfOpenConnectionsShutNobodyOut) {
    std::vector<std::unique_ptr<HalfOpen>> silent;
    for (int i = 0; i < 40; ++i) {
        char const* const from = i % 2 ? "127.0.0.2" : "127.0.0.3";
        silent.push_back(std::make_unique<HalfOpen>(port(), i % 3 ? "" : "GET / HT", from));
    }
    EXPECT_EQ(http_get(port(), "/?token=secret").status, 200U);
    TestClient client(port());
    client.send("hello");
    EXPECT_EQ(client.receive().bytes, "hello");
    // The oldest have gone.
    EXPECT_TRUE(becomes([&] { return silent.front()->ended(); }));
    EXPECT_FALSE(silent.back()->ended());
}

TEST_F(ServerTest, AnAddressTakesTheRoomOfItsOwnOnly) {
    HalfOpen mine(port(), "", "127.0.0.9");
    std::vector<std::unique_ptr<HalfOpen>> silent;
    for (int i = 0; i < 40; ++i)
        silent.push_back(std::make_unique<HalfOpen>(port(), "", "127.0.0.2"));
    ASSERT_TRUE(becomes([&] { return silent.front()->ended(); }));
    EXPECT_EQ(http_get(port(), "/?token=secret").status, 200U);
    EXPECT_FALSE(mine.ended());
}

TEST_F(ServerTest, ClosesWhoAsksAndNeverReads) {
    TestClient greedy(port()), other(port());
    // Far more than the buffers of the two sockets hold.
    for (int i = 0; i < 3000; ++i) greedy.send("refuse me");
    EXPECT_TRUE(becomes([&] { return server_->backlog(1).bytes > 0; }));
    EXPECT_LE(server_->backlog(1).bytes, std::size_t{5} << 20);
    EXPECT_EQ(greedy.wait_for_close(), 1013U);
    EXPECT_NE(greedy.reason().find("does not read"), std::string::npos);
    other.send("quick");
    EXPECT_EQ(other.receive().bytes, "quick");
}

TEST_F(ServerTest, SurvivesBytesThatAreNoHttp) {
    for (std::string const& bytes : {std::string("\0\xff\x80garbage\r\n\r\n", 15),
                                     std::string("GET / HTTP/9.9\r\n\r\n"), std::string("\r\n")}) {
        boost::asio::io_context io;
        tcp::socket socket(io);
        socket.connect({boost::asio::ip::make_address("127.0.0.1"), port()});
        boost::asio::write(socket, boost::asio::buffer(bytes));
        socket.shutdown(tcp::socket::shutdown_send);
    }
    EXPECT_EQ(http_get(port(), "/?token=secret").status, 200U);
}

// A server whose patience is short.
class ImpatientTest : public ServerTest {
  protected:
    void settle(Options& options) override {
        using std::chrono::milliseconds;
        options.visit = milliseconds(80);
        options.idle = milliseconds(80);
        options.stall = milliseconds(80);
        options.slowest = 1 << 30;
        options.farewell = milliseconds(80);
    }
};

TEST_F(ImpatientTest, DropsWhoSendsAHeaderSlowly) {
    HalfOpen slow(port(), "GET / HTTP/1.1\r\nX: ");
    EXPECT_TRUE(becomes([&] {
        boost::system::error_code ignored;
        boost::asio::write(slow.socket, boost::asio::buffer("x", 1), ignored);
        return slow.ended();
    }));
}

TEST_F(ImpatientTest, DropsWhoDoesNotAnswerAPing) {
    TestClient silent(port());  // pings are answered while it reads, and it does not
    ASSERT_TRUE(becomes([&] { return echo_.opened_count == 1; }));
    EXPECT_TRUE(becomes([&] { return echo_.closed_count == 1; }));
}

// Whoever answers has more time than a busy machine may keep it waiting.
class PatientTest : public ImpatientTest {
  protected:
    void settle(Options& options) override {
        ImpatientTest::settle(options);
        options.idle = options.stall = std::chrono::milliseconds(1500);
    }
};

TEST_F(PatientTest, KeepsWhoAnswersPings) {
    TestClient client(port());
    std::thread later([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(3500));
        echo_.send(1, "", "still there", false);
    });
    EXPECT_EQ(client.receive().bytes, "still there");
    later.join();
}

TEST_F(ImpatientTest, DropsWhoStopsReadingAMessage) {
    TestClient client(port());
    client.send("much");
    // It goes on speaking, which alone would keep it.
    EXPECT_TRUE(becomes([&] {
        try {
            client.send("x");
        } catch (boost::system::system_error const&) {
        }
        return echo_.closed_count == 1;
    }));
}

TEST(Server, SaysWhyItCannotListen) {
    Options options;
    auto const first = Server::listen(options);
    ASSERT_TRUE(first);
    options.port = first->port();
    auto const second = Server::listen(options);
    ASSERT_FALSE(second);
    EXPECT_NE(second.error().message.find("--port"), std::string::npos);
    options = {};
    options.host = "0.0.0.0";
    auto const open = Server::listen(options);
    ASSERT_FALSE(open);
    EXPECT_NE(open.error().message.find("--allow-remote"), std::string::npos);
    options.host = "nonsense";
    EXPECT_FALSE(Server::listen(options));
    options.host = "0.0.0.0";
    options.allow_remote = true;
    EXPECT_TRUE(Server::listen(options));
}

}  // namespace
}  // namespace sluice::server
