// JSON objects of messages: members by name, and what is no object.
// SPDX-License-Identifier: Apache-2.0
#include "net/json/object.h"

#include <gtest/gtest.h>

namespace sluice::net {
namespace {

Result<JsonObject> read(std::string const& text) {
    return JsonObject::read(std::as_bytes(std::span(text)), 1000);
}

TEST(JsonObject, MembersByName) {
    auto const o =
        read(R"({"a": 7, "b": -1.5, "c": "x\"y", "d": true, "e": [3, 4], "a": 8, "f": null,)"
             R"( "g": {"a": 9, "e": [1]}, "h": [1, [2]], "i": [1, -2], "j": []})")
            .value();
    EXPECT_EQ(o.natural("a"), 7u);
    EXPECT_EQ(o.number("a"), 7.0);
    EXPECT_EQ(o.number("b"), -1.5);
    EXPECT_FALSE(o.natural("b"));
    EXPECT_EQ(o.text("c"), "x\"y");
    EXPECT_EQ(o.boolean("d"), true);
    EXPECT_EQ(o.naturals("e"), (std::vector<std::uint64_t>{3, 4}));
    EXPECT_EQ(o.naturals("j"), std::vector<std::uint64_t>{});
    for (char const* name : {"f", "g", "h", "i", "k"}) {
        EXPECT_FALSE(o.natural(name)) << name;
        EXPECT_FALSE(o.naturals(name)) << name;
        EXPECT_FALSE(o.text(name)) << name;
    }
}

TEST(JsonObject, WhatIsNoObject) {
    for (char const* text : {"", "7", "[1]", "\"x\"", "{", "{\"a\":}", "{\"a\":1} x", "null"})
        EXPECT_FALSE(read(text)) << text;
    EXPECT_FALSE(read("{\"a\":" + std::string(100, '[') + std::string(100, ']') + "}"));
    EXPECT_FALSE(read("{\"a\": \"" + std::string(2000, 'x') + "\"}"));
    EXPECT_TRUE(read("{}"));
}

}  // namespace
}  // namespace sluice::net
