// Tests of what may be asked about slides, and of what is told when it may not.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/slide/request.h"

#include <gtest/gtest.h>

namespace sluice::app {
namespace {

Result<SlideRequest> parse(std::string const& op, std::string const& fields) {
    return parse_slide_request(op, Fields::parse("{" + fields + "}"));
}

std::string tile(std::string const& fields) {
    return R"("slide":"s1",)" + fields;
}

TEST(SlideRequest, ReadsATile) {
    SlideRequest const r =
        parse("tile", tile(R"("plane":{"C":2,"Z":-3},"zoom":4,"row":5,"col":6)")).value();
    EXPECT_EQ(r.slide, "s1");
    auto const& t = std::get<TileRequest>(r.what);
    EXPECT_EQ(t.zoom, 4);
    EXPECT_EQ(t.row, 5);
    EXPECT_EQ(t.col, 6);
    ASSERT_EQ(t.plane.size(), 2U);
    EXPECT_EQ(t.plane[0].dimension, slide::C);
    EXPECT_EQ(t.plane[0].at, 2);
    EXPECT_EQ(t.plane[1].dimension, slide::Z);
    EXPECT_EQ(t.plane[1].at, -3);
}

TEST(SlideRequest, ReadsTheOthers) {
    EXPECT_TRUE(std::holds_alternative<StopRequest>(parse("stop", "").value().what));
    auto const r = parse("attachment", R"("slide":"s1","number":7)").value();
    EXPECT_EQ(std::get<AttachmentRequest>(r.what).number, 7U);
}

TEST(SlideRequest, SaysWhichFieldIsWrong) {
    struct {
        char const* op;
        std::string fields;
        char const* word;
    } const cases[] = {
        {"tile", R"("zoom":0,"row":0,"col":0)", "'slide'"},
        {"fly", R"("slide":"s1")", "'fly'"},
        {"tile", tile(R"("row":0,"col":0)"), "'zoom'"},
        {"tile", tile(R"("zoom":32,"row":0,"col":0)"), "from 0 to 31"},
        {"tile", tile(R"("zoom":-1,"row":0,"col":0)"), "'zoom'"},
        {"tile", tile(R"("zoom":0.5,"row":0,"col":0)"), "'zoom'"},
        {"tile", tile(R"("zoom":0,"row":"0","col":0)"), "'row'"},
        {"tile", tile(R"("zoom":0,"row":0,"col":16777217)"), "'col'"},
        {"tile", tile(R"("zoom":0,"row":0,"col":18446744073709551615)"), "'col'"},
        {"tile", tile(R"("zoom":0,"row":0,"col":0,"plane":[1])"), "'plane'"},
        {"tile", tile(R"("zoom":0,"row":0,"col":0,"plane":{"X":1})"), "'X' is not one"},
        {"tile", tile(R"("zoom":0,"row":0,"col":0,"plane":{"":1})"), "is not one of"},
        {"tile", tile(R"("zoom":0,"row":0,"col":0,"plane":{"CZ":1})"), "'CZ' is not one"},
        {"tile", tile(R"("zoom":0,"row":0,"col":0,"plane":{"Z":2147483648})"), "'Z'"},
        {"tile", tile(R"("zoom":0,"row":0,"col":0,"plane":{"Z":-2147483648})"), "'Z'"},
        {"attachment", R"("slide":"s1","number":-1)", "'number'"},
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
