// Who decides the scan shape.
// SPDX-License-Identifier: Apache-2.0
#include "format/scan_shape.h"

#include <gtest/gtest.h>

#include "format/while_written.h"

namespace sluice {
namespace {

bool contains(std::string const& all, std::string const& part) {
    return all.find(part) != std::string::npos;
}

TEST(ScanShape, TheUserIsAskedFirst) {
    auto const s = resolve_scan_shape({.present = 24,
                                       .user = ScanGrid{4, 6},
                                       .companion = CompanionScan{{6, 4}, 0},
                                       .attribute = ScanGrid{3, 8}});
    ASSERT_TRUE(s) << s.error().text();
    EXPECT_EQ(s->grid, (ScanGrid{4, 6}));
    EXPECT_EQ(s->from, "user");
    EXPECT_EQ(s->frames, 24);
    EXPECT_EQ(s->missing, 0);
}

TEST(ScanShape, ThenTheCompanionThenTheAttributeThenTheSquare) {
    ScanQuery q{.present = 36, .companion = CompanionScan{{4, 9}, 0}, .attribute = ScanGrid{3, 12}};
    auto s = resolve_scan_shape(q);
    ASSERT_TRUE(s);
    EXPECT_EQ(s->grid, (ScanGrid{4, 9}));
    EXPECT_EQ(s->from, "STEM Metadata");
    q.companion.reset();
    s = resolve_scan_shape(q);
    ASSERT_TRUE(s);
    EXPECT_EQ(s->grid, (ScanGrid{3, 12}));
    q.attribute.reset();
    s = resolve_scan_shape(q);
    ASSERT_TRUE(s);
    EXPECT_EQ(s->grid, (ScanGrid{6, 6}));
    EXPECT_TRUE(contains(s->from, "square"));
}

TEST(ScanShape, OnlyASquareIsAGuess) {
    ScanQuery q{.present = 36, .companion = CompanionScan{{6, 6}, 0}};
    EXPECT_TRUE(resolve_scan_shape(q)->warnings.empty());
    q.companion.reset();
    q.attribute = ScanGrid{6, 6};
    EXPECT_TRUE(resolve_scan_shape(q)->warnings.empty());
    q.attribute = ScanGrid{5, 6};
    auto const guessed = resolve_scan_shape(q);
    ASSERT_TRUE(guessed);
    ASSERT_EQ(guessed->warnings.size(), 1);
    EXPECT_TRUE(contains(guessed->warnings[0], "scan shape 6x6 is a guess"));
    EXPECT_EQ(guessed->notes.back(), guessed->warnings[0]);
    EXPECT_TRUE(resolve_scan_shape({.present = 1})->warnings.empty());
}

TEST(ScanShape, NothingFitsSoTheShapesAreListed) {
    auto const s = resolve_scan_shape({.present = 24});
    ASSERT_FALSE(s);
    EXPECT_EQ(s.error().code, Code::invalid_argument);
    EXPECT_TRUE(contains(s.error().message, "4x6, 3x8, 2x12, 1x24"));
    EXPECT_TRUE(contains(s.error().message, "--scan"));
}

TEST(ScanShape, ListsAreShortAndQuickEvenForLargePrimes) {
    EXPECT_EQ(possible_shapes(64), "8x8, 4x16, 2x32, 1x64");
    EXPECT_EQ(possible_shapes(64, 2), "8x8, 4x16");
    EXPECT_EQ(possible_shapes(7), "1x7");
    EXPECT_EQ(possible_shapes(0), "none");
    // Its square root is beyond the search.
    EXPECT_EQ(possible_shapes(9223372036854775783), "none");
}

TEST(ScanShape, AUserShapeMustHaveAsManyPointsAsFrames) {
    ScanQuery q{.present = 24, .user = ScanGrid{4, 5}};
    auto s = resolve_scan_shape(q);
    ASSERT_FALSE(s);
    EXPECT_EQ(s.error().code, Code::invalid_argument);
    EXPECT_TRUE(contains(s.error().message, "20 points"));
    EXPECT_TRUE(contains(s.error().message, "24 frames"));
    EXPECT_FALSE(contains(s.error().message, "--allow-incomplete"));
    // Frames that are there are never left out.
    q.allow_incomplete = true;
    EXPECT_FALSE(resolve_scan_shape(q));
    q = {.present = 24, .user = ScanGrid{5, 5}};
    s = resolve_scan_shape(q);
    ASSERT_FALSE(s);
    EXPECT_EQ(s.error().code, Code::incomplete);
    EXPECT_TRUE(contains(s.error().message, "--allow-incomplete"));
    q.allow_incomplete = true;
    s = resolve_scan_shape(q);
    ASSERT_TRUE(s);
    EXPECT_EQ(s->frames, 25);
    EXPECT_EQ(s->missing, 1);
    EXPECT_FALSE(s->notes.empty());
}

TEST(ScanShape, AbsurdShapesAreRefused) {
    index const huge = index{1} << 40;
    for (ScanGrid g : {ScanGrid{0, 4}, ScanGrid{-2, -8}, ScanGrid{huge, huge}})
        EXPECT_FALSE(resolve_scan_shape(
            {.present = 16, .expected = 0, .user = g, .allow_incomplete = true}));
    auto const s =
        resolve_scan_shape({.present = 16, .companion = CompanionScan{{huge, huge}, huge}});
    ASSERT_TRUE(s);
    EXPECT_EQ(s->grid, (ScanGrid{4, 4}));
    EXPECT_FALSE(s->notes.empty());
}

TEST(ScanShape, NoFramesAreCorrupt) {
    auto const s = resolve_scan_shape({.present = 0, .user = ScanGrid{1, 1}});
    ASSERT_FALSE(s);
    EXPECT_EQ(s.error().code, Code::corrupt);
}

TEST(ScanShape, FewerFramesThanAnnouncedAreIncomplete) {
    ScanQuery q{.present = 30, .expected = 36};
    auto s = resolve_scan_shape(q);
    ASSERT_FALSE(s);
    EXPECT_EQ(s.error().code, Code::incomplete);
    EXPECT_TRUE(contains(s.error().message, "30 of 36"));
    q.allow_incomplete = true;
    s = resolve_scan_shape(q);
    ASSERT_TRUE(s);
    EXPECT_EQ(s->grid, (ScanGrid{6, 6}));
    EXPECT_EQ(s->missing, 6);
    // A user who names the shape of the frames that are there has a complete scan.
    s = resolve_scan_shape({.present = 30, .expected = 36, .user = ScanGrid{5, 6}});
    ASSERT_TRUE(s);
    EXPECT_EQ(s->missing, 0);
    EXPECT_FALSE(s->notes.empty());
}

TEST(ScanShape, ACompanionThatWantsMoreFramesMeansThatSomeAreMissing) {
    ScanQuery q{.present = 30, .companion = CompanionScan{{6, 6}, 0}};
    auto s = resolve_scan_shape(q);
    ASSERT_FALSE(s);
    EXPECT_EQ(s.error().code, Code::incomplete);
    q.allow_incomplete = true;
    s = resolve_scan_shape(q);
    ASSERT_TRUE(s);
    EXPECT_EQ(s->missing, 6);
    // Unless the detector says that it was not asked for more.
    q = {.present = 36, .expected = 36, .companion = CompanionScan{{7, 7}, 0}};
    s = resolve_scan_shape(q);
    ASSERT_TRUE(s);
    EXPECT_EQ(s->grid, (ScanGrid{6, 6}));
    EXPECT_FALSE(s->notes.empty());
}

TEST(ScanShape, PrescanColumnsAreFoundByTheFrameCount) {
    auto s = resolve_scan_shape({.present = 60, .companion = CompanionScan{{6, 8}, 2}});
    ASSERT_TRUE(s);
    EXPECT_EQ(s->grid, (ScanGrid{6, 10}));
    ASSERT_FALSE(s->notes.empty());
    EXPECT_TRUE(contains(s->notes[0], "prescan"));
    s = resolve_scan_shape({.present = 48, .companion = CompanionScan{{6, 8}, 2}});
    ASSERT_TRUE(s);
    EXPECT_EQ(s->grid, (ScanGrid{6, 8}));
    EXPECT_TRUE(s->notes.empty());
}

TEST(ScanShape, AnAttributeIsNamedAsTheCallerSays) {
    auto const s = resolve_scan_shape(
        {.present = 12, .attribute = ScanGrid{3, 4}, .attribute_from = "shape of the dataset"});
    ASSERT_TRUE(s);
    EXPECT_EQ(s->from, "shape of the dataset");
}

TEST(ScanShape, OfFilesThatAreWrittenNothingIsDecided) {
    WhileWritten written;
    auto const shape = resolve_scan_shape({.present = 5,
                                           .expected = 12,
                                           .companion = CompanionScan{{3, 3}, 1},
                                           .attribute = ScanGrid{2, 6},
                                           .holes = {{1, 2}}});
    ASSERT_TRUE(shape);
    EXPECT_EQ(shape->grid, (ScanGrid{1, 12}));
    EXPECT_EQ(shape->missing_runs, (std::vector<FrameRun>{{1, 2}, {5, 7}}));
    EXPECT_EQ(written.announced.images, 12);
    // With the way back, as many as are announced.
    EXPECT_EQ(written.announced.scan, (ScanGrid{3, 4}));
    // A shape that grows announces nothing.
    written.shape_grows = true;
    auto const grown = resolve_scan_shape({.present = 5,
                                           .expected = 6,
                                           .attribute = ScanGrid{2, 3},
                                           .attribute_from = std::string(shape_of_dataset)});
    ASSERT_TRUE(grown);
    EXPECT_EQ(grown->frames, 5);
    EXPECT_EQ(written.announced.images, 0);
    EXPECT_FALSE(written.announced.scan);
}

}  // namespace
}  // namespace sluice
