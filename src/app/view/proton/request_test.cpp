// Tests of what may be asked about volumes, and of what is told when it may not.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/proton/request.h"

#include <gtest/gtest.h>

#include "app/view/proton/echo.h"

namespace sluice::app {
namespace {

Result<VolumeRequest> parse(std::string const& op, std::string const& fields) {
    return parse_volume_request(op, Fields::parse("{" + fields + "}"));
}

TEST(VolumeRequest, EchoesWhatItUnderstood) {
    char const* const cases[][2] = {
        {"plane", R"("volume":"v2","onto":"v1","across":"x","down":"-z","at":-12.5)"},
        {"profile", R"("volumes":["v1","v2"],"along":"y","through":[1.0,2.5,-3.0])"},
        {"difference", R"("volume":"v1","minus":"v2")"},
        {"outlines", R"("structures":["s1","s3"],"onto":"v1","across":"x","down":"z","at":2.5)"},
        {"histogram", R"("volume":"v1","structure":"s2","to":60.5)"},
    };
    for (auto const& [op, fields] : cases) {
        auto const r = parse(op, fields);
        ASSERT_TRUE(r) << r.error().text();
        Json const want = Json::parse(std::string(R"({"op":")") + op + "\"," + fields + "}");
        EXPECT_EQ(echo(*r), want);
    }
}

TEST(VolumeRequest, SaysWhichFieldIsWrong) {
    struct {
        char const *op, *fields, *word;
    } const cases[] = {
        {"fly", "", "'fly'"},
        {"plane", R"("onto":"v1","across":"x","down":"y","at":0)", "'volume'"},
        {"plane", R"("volume":"v1","across":"x","down":"y","at":0)", "'onto'"},
        {"plane", R"("volume":"v1","onto":"v1","across":"w","down":"y","at":0)",
         "'w' is not an axis"},
        {"plane", R"("volume":"v1","onto":"v1","across":"--x","down":"y","at":0)", "not an axis"},
        {"plane", R"("volume":"v1","onto":"v1","across":"x","down":"-x","at":0)", "same axis"},
        {"plane", R"("volume":"v1","onto":"v1","across":"x","down":"y","at":"0")", "'at'"},
        {"plane", R"("volume":"v1","onto":"v1","across":"x","down":"y","at":1e7)", "'at'"},
        {"profile", R"("volumes":[],"along":"x","through":[0,0,0])", "'volumes'"},
        {"profile", R"("volumes":[1],"along":"x","through":[0,0,0])", "texts"},
        {"profile", R"("volumes":["a","a","a","a","a","a","a","a","a"],"along":"x")", "1 to 8"},
        {"profile", R"("volumes":["v1"],"along":"-x","through":[0,0,0])", "'-x' is not an axis"},
        {"profile", R"("volumes":["v1"],"along":"x","through":[0,0])", "three numbers"},
        {"profile", R"("volumes":["v1"],"along":"x","through":[0,0,null])", "a number"},
        {"difference", R"("volume":"v1")", "'minus'"},
        {"outlines", R"("structures":[],"onto":"v1","across":"x","down":"y","at":0)",
         "'structures'"},
        {"outlines", R"("structures":["s1"],"onto":"v1","across":"x","down":"x","at":0)",
         "same axis"},
        {"outlines", R"("structures":["s1"],"onto":"v1","across":"x","down":"-y","at":0)",
         "'-y' is not an axis"},
        {"histogram", R"("volume":"v1","to":1)", "'structure'"},
        {"histogram", R"("volume":"v1","structure":"s1","to":0)", "above 0"},
    };
    for (auto const& [op, fields, word] : cases) {
        auto const parsed = parse(op, fields);
        ASSERT_FALSE(parsed) << op << " " << fields;
        EXPECT_NE(parsed.error().message.find(word), std::string::npos)
            << op << " " << fields << ": " << parsed.error().message;
    }
}

}  // namespace
}  // namespace sluice::app
