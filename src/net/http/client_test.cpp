// Requests to servers that answer wrongly: each ends in time, and says what is wrong.
// SPDX-License-Identifier: Apache-2.0
#include "net/http/client.h"

#include <gtest/gtest.h>

#include "net/control/test_port.h"
#include "net/http/server.h"

namespace sluice::net::http {
namespace {

using namespace std::chrono_literals;
using Answer = TestPort::Answer;

std::string error_of(Answer answer, Patience patience = {.answer = 300ms}) {
    TestPort const port({std::move(answer)});
    auto const reply = request(port.http(), {.path = "/x"}, patience);
    return reply ? "none" : reply.error().message;
}

TEST(HttpClient, takes_what_a_server_answers) {
    auto const server = Server::open("http://127.0.0.1:*", [](Request const& r, GoOn const&) {
                            return Reply{200, "OK", r.method + " " + r.path + " " + r.body};
                        }).value();
    auto const got = request(server->address(), {.path = "/a/b"}, {}).value();
    EXPECT_EQ(got.body, "GET /a/b ");
    auto const put = request(server->address(), {"PUT", "/c", "{\"value\":1}"}, {}).value();
    EXPECT_EQ(put.body, "PUT /c {\"value\":1}");
}

TEST(HttpClient, says_what_is_wrong) {
    EXPECT_NE(error_of({"nonsense\r\n\r\n"}).find("no HTTP"), std::string::npos);
    EXPECT_NE(error_of({""}).find("cut off"), std::string::npos);
    EXPECT_NE(error_of({"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"}).find("cut off"),
              std::string::npos);
    EXPECT_NE(error_of({"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc", false, true})
                  .find("no whole answer came within 0.3 s"),
              std::string::npos);
    EXPECT_NE(error_of({"HTTP/1.1 200 OK\r\nX: " + std::string(60, 'a') + "\r\n\r\n", true})
                  .find("no whole answer came"),
              std::string::npos);
}

TEST(HttpClient, takes_no_more_than_was_allowed) {
    Patience const little{.answer = 2000ms, .most_bytes = 100};
    EXPECT_NE(error_of({"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n"}, little)
                  .find("body limit"),
              std::string::npos);
    EXPECT_NE(
        error_of({"HTTP/1.1 200 OK\r\n\r\n" + std::string(5000, 'x')}, little).find("body limit"),
        std::string::npos);
    EXPECT_NE(error_of({"HTTP/1.1 200 OK\r\nX: " + std::string(100000, 'x')}, little)
                  .find("header limit"),
              std::string::npos);
}

TEST(HttpClient, ends_when_nobody_wants_it) {
    TestPort const port({{"", false, true}});
    int asked = 0;
    auto const reply =
        request(port.http(), {}, {.answer = 60s, .go_on = [&] { return ++asked < 3; }});
    ASSERT_FALSE(reply);
    EXPECT_EQ(reply.error().code, Code::cancelled);
}

TEST(HttpClient, nobody_is_there) {
    std::string address;
    {
        TestPort const gone({{""}});
        address = gone.http();
    }
    auto const reply = request(address, {}, {.connect = 100ms});
    ASSERT_FALSE(reply);
    EXPECT_NE(reply.error().message.find("nobody answers"), std::string::npos);
}

}  // namespace
}  // namespace sluice::net::http
