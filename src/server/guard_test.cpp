// Tests of who may talk to the server.
// SPDX-License-Identifier: Apache-2.0
#include "server/guard.h"

#include <gtest/gtest.h>

namespace sluice::server {
namespace {

Allowed const local{{"127.0.0.1", "localhost", "[::1]"}, 8800, false};

TEST(Guard, TakesTheTokenFromTheQuery) {
    EXPECT_EQ(token_of("/?token=abc"), "abc");
    EXPECT_EQ(token_of("/live?a=1&token=a%20b%2&c"), "a b%2");
    EXPECT_EQ(token_of("/live?atoken=abc"), "");
    EXPECT_EQ(token_of("/token=abc"), "");
    EXPECT_EQ(token_of(""), "");
    EXPECT_EQ(percent_encoded("a&b c%\xe9-_.~"), "a%26b%20c%25%E9-_.~");
    EXPECT_EQ(token_of("/?token=" + percent_encoded("a&b=%#?")), "a&b=%#?");
    EXPECT_EQ(path_of("/live?token=abc"), "/live");
    EXPECT_EQ(path_of("/"), "/");
}

TEST(Guard, ComparesSecrets) {
    EXPECT_TRUE(same_secret("abc", "abc"));
    EXPECT_FALSE(same_secret("abc", "abd"));
    EXPECT_FALSE(same_secret("abc", "ab"));
    EXPECT_FALSE(same_secret("", "abc"));
}

TEST(Guard, KnowsItsOwnNames) {
    for (char const* host : {"127.0.0.1:8800", "localhost:8800", "LocalHost:8800", "[::1]:8800"})
        EXPECT_TRUE(host_allowed(host, local)) << host;
    for (char const* host :
         {"", "127.0.0.1", "127.0.0.1:8801", "evil.example:8800", "127.0.0.1.evil.example:8800",
          "localhost:", "localhost:88x0", "localhost:8800:8800", "[::1", "127.0.0.1:99999999999"})
        EXPECT_FALSE(host_allowed(host, local)) << host;
}

TEST(Guard, TakesAnyNameWhenServedToOthers) {
    Allowed remote = local;
    remote.any_host = true;
    EXPECT_TRUE(host_allowed("microscope.lab:80", remote));
    EXPECT_FALSE(host_allowed("", remote));
}

TEST(Guard, TakesOnlyItsOwnPages) {
    EXPECT_TRUE(origin_allowed("", "localhost:8800"));
    EXPECT_TRUE(origin_allowed("http://localhost:8800", "localhost:8800"));
    for (char const* origin : {"null", "http://localhost:8888", "http://evil.example",
                               "http://localhost:8800.evil.example", "file://", "localhost:8800"})
        EXPECT_FALSE(origin_allowed(origin, "localhost:8800")) << origin;
}

TEST(Guard, MakesTokensThatDiffer) {
    auto const a = random_token(), b = random_token();
    ASSERT_TRUE(a && b);
    EXPECT_EQ(a->size(), 32U);
    EXPECT_NE(*a, *b);
}

}  // namespace
}  // namespace sluice::server
