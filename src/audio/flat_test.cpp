// Tests of what ffprobe's answers and files' tags become.
// SPDX-License-Identifier: Apache-2.0
#include "audio/flat.h"

#include <gtest/gtest.h>

#include "audio/tags.h"

namespace sluice::audio {
namespace {

TEST(AudioFlat, ReadsWordsAndTexts) {
    auto const all = parse_flat(
                         "stream.0.channels=2\nstream.0.codec_name=\"aac\"\n"
                         "format.tags.title=\"a \\\"b\\\" \\$x \\\\ \\`\\n c=d\"\nlast=\n")
                         .value();
    EXPECT_EQ(all.size(), 4u);
    EXPECT_EQ(all.at("stream.0.channels"), "2");
    EXPECT_EQ(all.at("stream.0.codec_name"), "aac");
    EXPECT_EQ(all.at("format.tags.title"), "a \"b\" $x \\ `\n c=d");
    EXPECT_EQ(all.at("last"), "");
    EXPECT_TRUE(parse_flat("")->empty());
}

TEST(AudioFlat, RefusesWhatIsNoAnswer) {
    for (char const* const text :
         {"word", "word\na=1", "a=\"b", "a=\"b\\", "a=\"b\"c", "\n", "a=1\na=2\n", "a=1\n\nb=2"}) {
        auto const parsed = parse_flat(text);
        ASSERT_FALSE(parsed) << text;
        EXPECT_NE(parsed.error().message.find("answer that cannot be parsed"), std::string::npos);
    }
}

TEST(AudioTags, AreUtf8OfOneLine) {
    EXPECT_EQ(tag_text("J\xc3\xb6rg"), "J\xc3\xb6rg");
    EXPECT_EQ(tag_text("J\xf6rg \xff"), "J\xc3\xb6rg \xc3\xbf");
    EXPECT_EQ(tag_text("a\nb\x7f c \n "), "a b  c");
    EXPECT_EQ(tag_text(""), "");
    EXPECT_EQ(tag_text(std::string(5000, 'x')).size(), most_tag);
    // Characters stay whole.
    std::string umlauts;
    for (int k = 0; k < 3000; ++k) umlauts += "\xc3\xb6";
    EXPECT_EQ(tag_text("x" + umlauts).size(), most_tag - 1);
}

}  // namespace
}  // namespace sluice::audio
