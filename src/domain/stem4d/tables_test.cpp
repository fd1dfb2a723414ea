// Answers out of a file of tables are, bit by bit, those of the frames.
// SPDX-License-Identifier: Apache-2.0
#include "domain/stem4d/tables_test.h"

namespace sluice::stem4d::tables_test {
namespace {

TEST_F(TablesOfFiles, AnswerAsTheFramesDo) {
    std::string const nexus = nxmx({19, 37}), flat = raw(23 * 31);
    struct Kind {
        std::string path;
        OpenOptions open;
    };
    for (Kind const& kind : {Kind{nexus, {}}, {flat, raw_options({23, 31})}})
        for (LoadOptions const& load : loads())
            for (Point const center : {Point{19, 22}, {18.25, 23.5}}) {
                make(kind.path, kind.open, load, {.center = center});
                Scan const with = streamed(kind.path, kind.open, load);
                ASSERT_TRUE(with.tables()) << with.tables_notes().front();
                Scan const without = streamed(kind.path, kind.open, load, Tables::none);
                int const found = compare(with, without, center);
                EXPECT_EQ(found, load.det_bin == 1 ? 14 : found) << center.row;
                EXPECT_GE(found, 2);
                EXPECT_EQ(with.tables()->answers(), found);
                EXPECT_TRUE(with.tables_notes().empty());
                // About another centre there is nothing.
                EXPECT_EQ(compare(with, without, {20, 20}), 2);
            }
}

TEST_F(TablesOfFiles, AnswerForScansThatLackFrames) {
    std::string const path = nxmx({19, 37}, nxmx::Damage::missing_frames);
    OpenOptions const open{.allow_incomplete = true};
    make(path, open, {}, {.center = Point{19, 22}});
    Scan const with = streamed(path, open, {});
    ASSERT_TRUE(with.tables());
    EXPECT_FALSE(with.plan().lost.empty());
    EXPECT_EQ(compare(with, streamed(path, open, {}, Tables::none), {19, 22}), 14);
}

TEST_F(TablesOfFiles, AreTheSameForAnyNumberOfThreads) {
    std::string const path = nxmx({70, 67});
    std::vector<std::vector<std::byte>> files;
    for (int const threads : {1, 3}) {
        TablesOptions o;
        o.center = Point{19, 22};
        o.device = Device::cpu(threads);
        auto const made = tables(streamed(path, {}, {}, Tables::none), o);
        ASSERT_TRUE(made) << made.error().text();
        files.push_back(read_file(made->file, 1 << 28).value());
        EXPECT_EQ(made->bytes, files.back().size());
    }
    EXPECT_EQ(files[0], files[1]);
}

TEST_F(TablesOfFiles, LieElsewhereByName) {
    std::string const path = nxmx({19, 37}), other = (folder_ / "other").string();
    make(path, {}, {}, {.center = Point{19, 22}, .out = other});
    EXPECT_FALSE(streamed(path, {}, {}).tables());
    Scan const with = streamed(path, {}, {.tables_file = other});
    ASSERT_TRUE(with.tables());
    EXPECT_EQ(compare(with, streamed(path, {}, {}, Tables::none), {19, 22}), 14);
}

}  // namespace
}  // namespace sluice::stem4d::tables_test
