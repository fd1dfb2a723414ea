// The examples of RFC 8949, appendix A, and what breaks its rules.
// SPDX-License-Identifier: Apache-2.0
#include "net/cbor/reader.h"

#include <gtest/gtest.h>

#include <limits>

#include "net/cbor/diagnostic.h"
#include "net/cbor/writer.h"

namespace sluice::cbor {
namespace {

std::vector<std::byte> bytes_of(std::string_view hex) {
    std::vector<std::byte> out;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
        out.push_back(
            static_cast<std::byte>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16)));
    return out;
}

std::string read(std::string_view hex) {
    auto const bytes = bytes_of(hex);
    auto const text = diagnostic(bytes);
    Reader skipping(bytes);
    EXPECT_EQ(skipping.skip().has_value(), text.has_value()) << hex;
    if (!text) return text.error().message;
    EXPECT_TRUE(skipping.done()) << hex;
    return *text;
}

TEST(CborReader, Examples) {
    std::pair<char const*, char const*> const examples[] = {
        {"00", "0"},
        {"17", "23"},
        {"1818", "24"},
        {"1903e8", "1000"},
        {"1a000f4240", "1000000"},
        {"1bffffffffffffffff", "18446744073709551615"},
        {"3bffffffffffffffff", "-18446744073709551616"},
        {"3863", "-100"},
        {"f90000", "0"},
        {"f98000", "-0"},
        {"f93e00", "1.5"},
        {"f97bff", "65504"},
        {"f90001", "5.960464477539063e-08"},
        {"f9c400", "-4"},
        {"fa47c35000", "100000"},
        {"fb3ff199999999999a", "1.1"},
        {"f97c00", "Infinity"},
        {"f97e00", "NaN"},
        {"faff800000", "-Infinity"},
        {"f4", "false"},
        {"f7", "undefined"},
        {"f0", "simple(16)"},
        {"f8ff", "simple(255)"},
        {"c11a514b67b0", "1(1363896240)"},
        {"4401020304", "h'01020304'"},
        {"6449455446", "\"IETF\""},
        {"62225c", "\"\\\"\\\\\""},
        {"80", "[]"},
        {"8301820203820405", "[1, [2, 3], [4, 5]]"},
        {"a26161016162820203", "{\"a\": 1, \"b\": [2, 3]}"},
        {"5f42010243030405ff", "(_ h'0102', h'030405')"},
        {"7f657374726561646d696e67ff", "(_ \"strea\", \"ming\")"},
        {"9f018202039f0405ffff", "[_ 1, [2, 3], [_ 4, 5]]"},
        {"bf61610161629f0203ffff", "{_ \"a\": 1, \"b\": [_ 2, 3]}"},
        {"9fff", "[_ ]"},
    };
    for (auto const& [hex, text] : examples) EXPECT_EQ(read(hex), text) << hex;
}

TEST(CborReader, WrongBytes) {
    std::pair<char const*, char const*> const wrong[] = {
        {"", "the message ends where an item is expected (at byte 0 of the message)"},
        {"19ff", "the message ends inside of a number (at byte 0 of the message)"},
        {"1c", "a first byte of 0x1c, which has no meaning (at byte 0 of the message)"},
        {"1f", "a first byte of 0x1f, which has no meaning (at byte 0 of the message)"},
        {"ff", "an end without a beginning (at byte 0 of the message)"},
        {"8201ff", "an end without a beginning (at byte 2 of the message)"},
        {"44010203", "bytes of 4 (the message has 3 bytes more) (at byte 0 of the message)"},
        {"5bffffffffffffffff00",
         "bytes of 18446744073709551615 (the message has 1 bytes more) (at byte 0 of the message)"},
        {"9bffffffffffffffff00",
         "an array of 18446744073709551615 (the message has 1 bytes more) (at byte 0 of the "
         "message)"},
        {"a2010203", "a map of 2 (the message has 3 bytes more) (at byte 0 of the message)"},
        {"5f6161ff", "a string whose pieces are of another kind (at byte 1 of the message)"},
        {"5f5f4101ffff", "a string whose pieces are of another kind (at byte 1 of the message)"},
        {"bf6161ff", "an end without a beginning (at byte 3 of the message)"},
    };
    for (auto const& [hex, text] : wrong) EXPECT_EQ(read(hex), text) << hex;
}

TEST(CborReader, DepthIsBounded) {
    std::string deep;
    for (int i = 0; i < Reader::most_depth; ++i) deep += "81";
    EXPECT_TRUE(read(deep + "01").starts_with("[[[["));
    EXPECT_TRUE(read("81" + deep + "01").starts_with("items are nested more than 32 deep"));
    std::string million;
    for (int i = 0; i < 1'000'000; ++i) million += "9f";
    EXPECT_TRUE(read(million).starts_with("items are nested more than 32 deep"));
}

TEST(CborReader, Values) {
    auto const bytes = bytes_of(
        "0a290bf93c00f5c24101"
        "7f61616162ff"
        "9f0102ff");
    Reader r(bytes);
    std::vector<std::byte> room;
    EXPECT_EQ(r.natural().value(), 10u);
    EXPECT_EQ(r.whole().value(), -10);
    EXPECT_EQ(r.number().value(), 11);
    EXPECT_EQ(r.number().value(), 1);
    EXPECT_EQ(r.boolean().value(), true);
    EXPECT_EQ(r.tag().value(), 2u);
    EXPECT_EQ(r.bytes(room).value().size(), 1u);
    EXPECT_EQ(r.text(room).value(), "ab");
    Items items = r.array().value();
    int n = 0;
    while (r.more(items).value()) {
        EXPECT_EQ(r.natural().value(), static_cast<std::uint64_t>(++n));
    }
    EXPECT_EQ(n, 2);
    EXPECT_TRUE(r.done());
    EXPECT_FALSE(r.natural());
}

TEST(CborReader, OtherKindsAreRefused) {
    auto const text = bytes_of("6161");
    std::vector<std::byte> room;
    EXPECT_FALSE(Reader(text).natural());
    EXPECT_FALSE(Reader(text).number());
    EXPECT_FALSE(Reader(text).boolean());
    EXPECT_FALSE(Reader(text).array());
    EXPECT_FALSE(Reader(text).bytes(room));
    EXPECT_NE(Reader(text).natural().error().message.find(
                  "a text (expected is a whole number, 0 or more) (at byte 0 of the message)"),
              std::string::npos);
    auto const number = bytes_of("05");
    EXPECT_NE(Reader(number).text(room).error().message.find("a number (expected is a text)"),
              std::string::npos);
    auto const large = bytes_of("1bffffffffffffffff");
    EXPECT_FALSE(Reader(large).whole());
    EXPECT_EQ(Reader(large).natural().value(), std::numeric_limits<std::uint64_t>::max());
}

TEST(CborWriter, ReadsBack) {
    Writer w;
    w.map(4);
    w.text("numbers");
    w.array(8);
    for (std::int64_t const n : {std::int64_t{0}, std::int64_t{23}, std::int64_t{24},
                                 std::int64_t{256}, std::int64_t{65536}, std::int64_t{1} << 32,
                                 std::int64_t{-1}, std::numeric_limits<std::int64_t>::min()})
        w.whole(n);
    w.text("real");
    w.real(1.1);
    w.text("bytes");
    w.bytes(bytes_of("0102"));
    w.text("other");
    w.array(3);
    w.boolean(true), w.null(), w.tag(56500), w.natural(1);
    EXPECT_EQ(diagnostic(w.written()).value(),
              "{\"numbers\": [0, 23, 24, 256, 65536, 4294967296, -1, -9223372036854775808], "
              "\"real\": 1.1, \"bytes\": h'0102', \"other\": [true, null, 56500(1)]}");
}

}  // namespace
}  // namespace sluice::cbor
