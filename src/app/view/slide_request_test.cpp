// Tests of what may be asked about slides, and of what is told when it may not.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/slide_request.h"

#include <gtest/gtest.h>

namespace sluice::app {
namespace {

std::string tile(std::string const& fields) {
    return R"({"op":"tile","id":1,"slot":"s","slide":"s1",)" + fields + "}";
}

SlideRequest good(std::string const& text) {
    auto parsed = parse_slide_request(text);
    auto* const bad = std::get_if<BadRequest>(&parsed);
    EXPECT_EQ(bad, nullptr) << (bad ? bad->message : "");
    return bad ? SlideRequest{} : std::get<SlideRequest>(parsed);
}

std::string why(std::string const& text) {
    auto const parsed = parse_slide_request(text);
    auto const* const bad = std::get_if<BadRequest>(&parsed);
    EXPECT_NE(bad, nullptr) << text;
    return bad ? bad->message : "";
}

TEST(SlideRequest, ReadsATile) {
    SlideRequest const r = good(tile(R"("plane":{"C":2,"Z":-3},"zoom":4,"row":5,"col":6)"));
    EXPECT_EQ(r.id, 1U);
    EXPECT_EQ(r.slot, "s");
    EXPECT_EQ(r.slide, "s1");
    auto const& t = std::get<TileRequest>(r.what);
    EXPECT_EQ(t.zoom, 4);
    EXPECT_EQ(t.row, 5);
    EXPECT_EQ(t.col, 6);
    ASSERT_EQ(t.plane.size(), 2U);
    EXPECT_EQ(t.plane[0].dimension, czi::C);
    EXPECT_EQ(t.plane[0].at, 2);
    EXPECT_EQ(t.plane[1].dimension, czi::Z);
    EXPECT_EQ(t.plane[1].at, -3);
}

TEST(SlideRequest, ReadsTheOthers) {
    EXPECT_TRUE(
        std::holds_alternative<PingRequest>(good(R"({"op":"ping","id":0,"slot":"p"})").what));
    EXPECT_TRUE(
        std::holds_alternative<StopRequest>(good(R"({"op":"stop","id":1,"slot":"t3"})").what));
    auto const r = good(R"({"op":"attachment","id":1,"slot":"a","slide":"s1","number":7})");
    EXPECT_EQ(std::get<AttachmentRequest>(r.what).number, 7U);
}

TEST(SlideRequest, SaysWhichFieldIsWrong) {
    std::pair<std::string, char const*> const cases[] = {
        {"[]", "no JSON object"},
        {R"({"op":"tile","id":-1,"slot":"s"})", "'id'"},
        {R"({"op":"tile","id":1,"slot":7})", "'slot'"},
        {R"({"op":"tile","id":1,"slot":")" + std::string(33, 'x') + R"("})", "'slot'"},
        {R"({"op":"tile","id":1,"slot":"s","zoom":0,"row":0,"col":0})", "'slide'"},
        {R"({"op":"fly","id":1,"slot":"s","slide":"s1"})", "'fly'"},
        {tile(R"("row":0,"col":0)"), "'zoom'"},
        {tile(R"("zoom":32,"row":0,"col":0)"), "from 0 to 31"},
        {tile(R"("zoom":-1,"row":0,"col":0)"), "'zoom'"},
        {tile(R"("zoom":0.5,"row":0,"col":0)"), "'zoom'"},
        {tile(R"("zoom":0,"row":"0","col":0)"), "'row'"},
        {tile(R"("zoom":0,"row":0,"col":16777217)"), "'col'"},
        {tile(R"("zoom":0,"row":0,"col":18446744073709551615)"), "'col'"},
        {tile(R"("zoom":0,"row":0,"col":0,"plane":[1])"), "'plane'"},
        {tile(R"("zoom":0,"row":0,"col":0,"plane":{"X":1})"), "'X' is none"},
        {tile(R"("zoom":0,"row":0,"col":0,"plane":{"":1})"), "is none"},
        {tile(R"("zoom":0,"row":0,"col":0,"plane":{"CZ":1})"), "'CZ' is none"},
        {tile(R"("zoom":0,"row":0,"col":0,"plane":{"Z":2147483648})"), "'Z'"},
        {tile(R"("zoom":0,"row":0,"col":0,"plane":{"Z":-2147483648})"), "'Z'"},
        {R"({"op":"attachment","id":1,"slot":"a","slide":"s1","number":-1})", "'number'"},
    };
    for (auto const& [text, word] : cases)
        EXPECT_NE(why(text).find(word), std::string::npos) << text << ": " << why(text);
}

}  // namespace
}  // namespace sluice::app
