// Tests of what every request must have.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/envelope.h"

#include <gtest/gtest.h>

namespace sluice::app {
namespace {

TEST(Envelope, IsReadAndTheFieldsWithIt) {
    auto const read = read_request(R"({"op":"look","id":7,"slot":"left","depth":3})");
    auto const& [envelope, fields] = std::get<RawRequest>(read);
    EXPECT_EQ(envelope.op, "look");
    EXPECT_EQ(envelope.id, 7U);
    EXPECT_EQ(envelope.slot, "left");
    EXPECT_EQ(fields["depth"], 3);
}

TEST(Envelope, SaysWhatIsWrongAndWhoAsked) {
    std::string const letters(33, 'x');
    struct {
        std::string text;
        char const* word;
        std::uint64_t id;
        char const* slot;
    } const cases[] = {
        {"no json", "not a JSON object", 0, ""},
        {"[]", "not a JSON object", 0, ""},
        {"", "not a JSON object", 0, ""},
        {R"({"op":"look","slot":"s"})", "'id'", 0, ""},
        {R"({"op":"look","id":-1,"slot":"s"})", "'id'", 0, ""},
        {R"({"op":"look","id":1.5,"slot":"s"})", "'id'", 0, ""},
        {R"({"op":"look","id":1})", "'slot'", 1, ""},
        {R"({"op":"look","id":1,"slot":7})", "'slot'", 1, ""},
        {R"({"op":"look","id":1,"slot":")" + letters + "\"}", "longer than 32", 1, ""},
        {R"({"id":1,"slot":"s"})", "'op'", 1, "s"},
        {R"({"op":[],"id":1,"slot":"s"})", "'op'", 1, "s"},
        {R"({"op":")" + letters + R"(","id":1,"slot":"s"})", "longer than 32", 1, "s"},
    };
    for (auto const& [text, word, id, slot] : cases) {
        auto const read = read_request(text);
        auto const* const bad = std::get_if<BadRequest>(&read);
        ASSERT_NE(bad, nullptr) << text;
        EXPECT_NE(bad->message.find(word), std::string::npos) << text << ": " << bad->message;
        EXPECT_EQ(bad->envelope.id, id) << text;
        EXPECT_EQ(bad->envelope.slot, slot) << text;
    }
}

TEST(Fields, WholeNumbersStayWithinTheirLimits) {
    Fields const fields =
        Fields::parse(R"({"a":5,"b":-1,"c":18446744073709551615,"d":0.5,"e":"1"})");
    EXPECT_EQ(whole_field(fields, "a", 5).value(), 5);
    for (char const* const name : {"b", "c", "d", "e", "f"})
        EXPECT_FALSE(whole_field(fields, name, 5)) << name;
    EXPECT_FALSE(whole_field(fields, "a", 4));
    EXPECT_EQ(whole_of(fields["b"], "b", -1, 5).value(), -1);
    EXPECT_FALSE(whole_of(fields["b"], "b", 0, 5));
}

}  // namespace
}  // namespace sluice::app
