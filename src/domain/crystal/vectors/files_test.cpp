// Files of vectors: what is saved is loaded bit by bit, damage is told, and nothing is half there.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "domain/crystal/vectors/test_vectors.h"
#include "save/folder_test.h"
#include "sluice/save.h"

namespace sluice::crystal {
namespace {

using stem4d::load_vectors;
using stem4d::save_vectors;

std::string slurp(std::string const& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}
void spill(std::string const& path, std::string const& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
}

class VectorFiles : public testing::TestWithParam<char const*> {
  protected:
    std::string path(std::string const& name = "a") const {
        return folder_.file(name + GetParam());
    }
    save::TestFolder folder_;
};

TEST_P(VectorFiles, RoundTrip) {
    for (auto const& v : {some_vectors(), some_vectors({1, 1}, 0), some_vectors({40, 33}, 90, 2),
                          some_vectors({1, 700}, 3, 3)}) {
        Status const saved = save_vectors(path(), v);
        ASSERT_TRUE(saved) << saved.error().text();
        auto const loaded = load_vectors(path());
        ASSERT_TRUE(loaded) << loaded.error().text();
        EXPECT_TRUE(same(v, *loaded));
        auto const info = stem4d::inspect_vectors(path());
        ASSERT_TRUE(info) << info.error().text();
        EXPECT_EQ(info->scan_shape, v.scan_shape);
        EXPECT_EQ(info->detector_shape, v.detector_shape);
        EXPECT_EQ(info->disks, v.size());
        EXPECT_TRUE(info->errors);
    }
}

TEST_P(VectorFiles, TheSameVectorsAreTheSameFile) {
    ASSERT_TRUE(save_vectors(path(), some_vectors()));
    // Times in the file would have seconds.
    std::this_thread::sleep_for(std::chrono::milliseconds(1100));
    ASSERT_TRUE(save_vectors(path("b"), some_vectors()));
    EXPECT_EQ(slurp(path()), slurp(path("b")));
}

TEST_P(VectorFiles, CutOffIsAnError) {
    ASSERT_TRUE(save_vectors(path(), some_vectors()));
    std::string const whole = slurp(path());
    for (std::size_t n = 0; n < whole.size(); n += 1 + whole.size() / 150) {
        spill(path(), whole.substr(0, n));
        EXPECT_FALSE(load_vectors(path())) << n;
    }
}

// The digest is of the numbers: what differs elsewhere is an error, or no difference.
TEST_P(VectorFiles, FlippedBitsAreNeverOtherVectors) {
    auto const v = some_vectors();
    ASSERT_TRUE(save_vectors(path(), v));
    std::string const whole = slurp(path());
    std::mt19937 random(7);
    int errors = 0;
    for (int i = 0; i < 600; ++i) {
        std::string bad = whole;
        bad[random() % bad.size()] ^= static_cast<char>(1u << random() % 8);
        spill(path(), bad);
        auto const loaded = load_vectors(path());
        errors += loaded ? 0 : 1;
        if (loaded) {
            ASSERT_TRUE(same(v, *loaded));
        }
    }
    EXPECT_GT(errors, 50);
}

TEST_P(VectorFiles, FailuresAreClean) {
    auto const v = some_vectors({40, 33}, 20);
    save::TestFolder const folder;
    std::string const good = folder.file(std::string("a") + GetParam());
    ASSERT_TRUE(save_vectors(good, v));
    std::string const before = slurp(good);
    {
        save::FullDisk const disk(2000);
        Status const full = save_vectors(good, v);
        ASSERT_FALSE(full);
        EXPECT_EQ(full.error().code, Code::io) << full.error().text();
    }
    EXPECT_EQ(slurp(good), before);
    EXPECT_EQ(folder.names().size(), 1u);
}

TEST_P(VectorFiles, ColumnsThatDoNotAgreeAreNotSaved) {
    auto v = some_vectors();
    v.score.pop_back();
    EXPECT_FALSE(save_vectors(path(), v));
    EXPECT_TRUE(folder_.names().empty());
}

// The patterns [from, to) alone, as of a scan of one row.
BraggVectors run_of(BraggVectors const& v, index from, index to) {
    BraggVectors run;
    run.scan_shape = {1, to - from}, run.detector_shape = v.detector_shape;
    auto const f = [&](index p) { return v.first[static_cast<std::size_t>(p)]; };
    for (index p = from; p <= to; ++p) run.first.push_back(f(p) - f(from));
    run.reason.assign(v.reason.begin() + from, v.reason.begin() + to);
    for (Column const& c : columns)
        (run.*c.values).assign((v.*c.values).begin() + f(from), (v.*c.values).begin() + f(to));
    return run;
}

// One of them has more disks than a block of the spool, another none at all.
TEST_P(VectorFiles, RunsAreTheSameFileAsAllAtOnce) {
    for (auto const& v : {some_vectors({40, 33}, 90, 2), some_vectors({37, 100}, 60, 4),
                          some_vectors({1, 9000}, 16, 3), some_vectors({2, 3}, 0, 5)}) {
        ASSERT_TRUE(save_vectors(path("all"), v));
        std::mt19937 random(9);
        for (unsigned const most : {1u, 50u, 100000u}) {
            auto writer =
                stem4d::VectorWriter::create(path("runs"), v.scan_shape, v.detector_shape);
            ASSERT_TRUE(writer) << writer.error().text();
            for (index p = 0; p < v.patterns();) {
                index const n = std::min<index>(1 + random() % most, v.patterns() - p);
                ASSERT_TRUE(writer->add(run_of(v, p, p + n)));
                p += n;
            }
            auto const written = (*std::move(writer)).finish();
            ASSERT_TRUE(written) << written.error().text();
            EXPECT_EQ(written->disks, v.size());
            EXPECT_EQ(written->reasons[0], std::ranges::count(v.reason, DiskReason::found));
            EXPECT_EQ(slurp(path("runs")), slurp(path("all")));
        }
    }
    EXPECT_EQ(folder_.names().size(), 2u);
}

TEST_P(VectorFiles, RunsThatDoNotMakeTheScanLeaveNothing) {
    auto const v = some_vectors({4, 5});
    for (index const patterns : {0, 19, 21}) {
        auto writer = *stem4d::VectorWriter::create(path(), v.scan_shape, v.detector_shape);
        EXPECT_TRUE(folder_.names().empty());
        for (index p = 0; p < patterns; ++p)
            EXPECT_EQ(writer.add(run_of(v, p % 20, p % 20 + 1)).has_value(), p < 20);
        if (patterns < 20) {
            EXPECT_EQ(std::move(writer).finish().error().code, Code::incomplete);
        }
    }
    auto writer = *stem4d::VectorWriter::create(path(), v.scan_shape, {9, 9});
    EXPECT_FALSE(writer.add(run_of(v, 0, 1)));
    EXPECT_FALSE(stem4d::VectorWriter::create(folder_.file("a.tif"), {1, 1}, {1, 1}));
    EXPECT_FALSE(stem4d::VectorWriter::create(path("none/a"), {1, 1}, {1, 1}));
    EXPECT_FALSE(stem4d::VectorWriter::create(path(), {0, 1}, {1, 1}));
    EXPECT_TRUE(folder_.names().empty());
}

TEST_P(VectorFiles, AFullDiskEndsRuns) {
    auto const v = some_vectors({40, 33}, 90, 2);
    auto writer = *stem4d::VectorWriter::create(path(), v.scan_shape, v.detector_shape);
    {
        save::FullDisk const disk(2000);
        Status const added = writer.add(v);
        auto const done = added ? std::move(writer).finish() : added.error();
        ASSERT_FALSE(done);
        EXPECT_EQ(done.error().code, Code::io) << done.error().text();
    }
    EXPECT_TRUE(folder_.names().empty());
}

INSTANTIATE_TEST_SUITE_P(Formats, VectorFiles, testing::Values(".npy", ".h5"),
                         [](auto const& info) { return std::string(info.param + 1); });

TEST(VectorCsv, HasALineForEachDisk) {
    save::TestFolder const folder;
    auto v = some_vectors({1, 2}, 2, 5);
    v.first = {0, 0, 1};
    for (Column const& c : columns) (v.*c.values).assign(1, 0.1f);
    v.score[0] = NAN;
    ASSERT_TRUE(save_vectors(folder.file("a.csv"), v));
    EXPECT_EQ(slurp(folder.file("a.csv")),
              "pattern_row,pattern_col,row,col,intensity,background,var_row,var_col,cov_row_col,"
              "intensity_error,score\n0,1,0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.1,nan\n");
    {
        auto writer = *stem4d::VectorWriter::create(folder.file("b.csv"), {1, 2}, v.detector_shape);
        ASSERT_TRUE(writer.add(v));
        ASSERT_TRUE(std::move(writer).finish());
        EXPECT_EQ(slurp(folder.file("a.csv")), slurp(folder.file("b.csv")));
    }
    EXPECT_FALSE(load_vectors(folder.file("a.csv")));
    EXPECT_FALSE(save_vectors(folder.file("a.tif"), v));
}

TEST(VectorEmd, SaysWhereItComesFrom) {
    save::TestFolder const folder;
    ASSERT_TRUE(save_vectors(folder.file("a.h5"), some_vectors(), {{{"source", "scan.h5"}}}));
    EXPECT_NE(slurp(folder.file("a.h5")).find("scan.h5"), std::string::npos);
    auto const other = load_vectors(folder.file("a.h5"), "nowhere");
    ASSERT_FALSE(other);
    EXPECT_NE(other.error().message.find("/braggvectors_root/braggvectors"), std::string::npos);
    auto const named = load_vectors(folder.file("a.h5"), "braggvectors_root/braggvectors");
    EXPECT_TRUE(named) << named.error().text();
}

// As py4DSTEM writes it: nothing of ours, in any order.
TEST(VectorEmd, OfOtherProgramsHasNoErrors) {
    save::TestFolder const folder;
    std::vector<index> const first = {0, 3, 3}, shapes = {1, 2, 8, 9};
    std::vector<float> const qx = {1, 2, 3}, qy = {4, 5, 6}, intensity = {7, NAN, 9};
    std::string const node = "r/peaks", bundle = node + "/metadatabundle/_braggvectors_shape/";
    auto const sides = [&](std::string const& name, std::size_t at) {
        return hdf5_dataset(bundle + name, "",
                            {DType::i64, {2}, std::as_bytes(std::span(shapes).subspan(at, 2))});
    };
    Status const saved = save_hdf5(
        folder.file("a.h5"),
        {Hdf5Attribute{"", "emd_group_type", "file"}, Hdf5Attribute{"r", "emd_group_type", "root"},
         Hdf5Attribute{node, "emd_group_type", "custom"},
         Hdf5Attribute{node, "python_class", "BraggVectors"}, sides("Rshape", 0),
         sides("Qshape", 2),
         Hdf5PointLists{node + "/_v_uncal/data",
                        {1, 2},
                        first,
                        {{"qy", qy}, {"intensity", intensity}, {"other", qx}, {"qx", qx}}}},
        {});
    ASSERT_TRUE(saved) << saved.error().text();
    auto const v = load_vectors(folder.file("a.h5"));
    ASSERT_TRUE(v) << v.error().text();
    EXPECT_EQ(v->row, (std::vector<float>{3, 1, 2}));
    EXPECT_EQ(v->col, (std::vector<float>{6, 4, 5}));
    EXPECT_EQ(v->intensity[0], 9);
    EXPECT_EQ(v->detector_shape, (std::array<index, 2>{8, 9}));
    EXPECT_EQ(v->reason, (std::vector{DiskReason::found, DiskReason::no_candidate}));
    EXPECT_TRUE(std::isnan(v->var_row[0]) && std::isnan(v->score[2]));
    EXPECT_FALSE(stem4d::inspect_vectors(folder.file("a.h5"))->errors);
}

}  // namespace
}  // namespace sluice::crystal
