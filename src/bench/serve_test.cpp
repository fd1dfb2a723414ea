// Rounds that somebody else asks for.
// SPDX-License-Identifier: Apache-2.0
#include "bench/serve.h"

#include <gtest/gtest.h>

#include <sstream>

#include "bench/test_clock.h"

namespace sluice::bench {
namespace {

TEST(Serve, RunsWhatIsNamed) {
    FakeClock time;
    std::vector<Contestant> const all{ticking(time, "load", {1, 2}), ticking(time, "floor", {4})};
    std::istringstream in("load\nfloor\nload\n");
    std::ostringstream out;
    ASSERT_TRUE(serve(all, {{"frames", 7}}, in, out));
    EXPECT_EQ(out.str(),
              "{\"frames\":7,\"jobs\":[\"load\",\"floor\"]}\n"
              "{\"job\":\"load\",\"seconds\":1.0,\"cpu_seconds\":2.0}\n"
              "{\"job\":\"floor\",\"seconds\":4.0,\"cpu_seconds\":8.0}\n"
              "{\"job\":\"load\",\"seconds\":2.0,\"cpu_seconds\":4.0}\n");
}

TEST(Serve, RefusesWhatIsNotThere) {
    FakeClock time;
    std::vector<Contestant> const all{ticking(time, "load", {1})};
    std::istringstream in("lod\n");
    std::ostringstream out;
    Status const found = serve(all, Json::object(), in, out);
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().message, "there is no job 'lod' to run; there are load");
}

TEST(Serve, RefusesTwoOfOneName) {
    FakeClock time;
    std::vector<Contestant> const all{ticking(time, "streamed", {1}),
                                      ticking(time, "streamed", {2})};
    std::istringstream in("streamed\n");
    std::ostringstream out;
    Status const found = serve(all, Json::object(), in, out);
    ASSERT_FALSE(found);
    EXPECT_NE(found.error().message.find("two jobs are called 'streamed'"), std::string::npos);
    EXPECT_EQ(out.str(), "");
}

}  // namespace
}  // namespace sluice::bench
