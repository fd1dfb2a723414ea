// Every kind of chunk index against libhdf5's own answers, and what damaged ones do.
// SPDX-License-Identifier: Apache-2.0
#include "format/hdf5/chunk_index.h"

#include "format/hdf5/stored_dataset.h"
#include "format/hdf5/test_files.h"

namespace sluice::hdf5 {
namespace {

using namespace test;

constexpr hsize_t free_size = H5S_UNLIMITED;

struct Case {
    char const* name;
    bool latest;
    std::vector<hsize_t> leading;  ///< extent before the pixels
    std::vector<hsize_t> max;
    bool filtered;
    hsize_t every = 1;  ///< chunks that are written: each n-th
    bool early = false;
    hsize_t user_block = 0;
};

void PrintTo(Case const& c, std::ostream* out) {
    *out << c.name;
}

constexpr hsize_t rows = 2, cols = 3;

Spec spec_of(Case const& c) {
    Spec s;
    s.extent = c.leading;
    s.max = c.max;
    s.chunk.assign(c.leading.size(), 1);
    for (auto* v : {&s.extent, &s.max, &s.chunk}) v->insert(v->end(), {rows, cols});
    s.filter = c.filtered ? 32008 : 0;
    if (c.filtered) s.values = {0, 3, 2, 0, 2};
    s.early = c.early;
    return s;
}

hsize_t count_of(Case const& c) {
    return c.leading[0] * (c.leading.size() > 1 ? c.leading[1] : 1);
}

std::vector<hsize_t> position(Case const& c, hsize_t chunk) {
    if (c.leading.size() == 1) return {chunk, 0, 0};
    return {chunk / c.leading[1], chunk % c.leading[1], 0, 0};
}

/// Writes chunks of varying length (they need not decode here) or of whole frames.
void write_case(Case const& c, std::string const& path) {
    Handle const file = create_file(path, c.latest, c.user_block);
    Handle const d = make_dataset(file.id(), "/d", spec_of(c));
    for (hsize_t i = 0; i < count_of(c); i += c.every) {
        auto content = frame<std::uint8_t>(static_cast<index>(i), 40);
        content.resize(c.filtered ? 20 + i % 17 : 2 * rows * cols);
        write_chunk(d, position(c, i), bytes_of(content), c.filtered && i % 5 == 0 ? 1 : 0);
    }
}

ChunkGrid grid_of(StoredDataset const& d) {
    return {d.extent, d.max, d.chunk, d.frame_bytes(), !d.filters.empty()};
}

Result<std::vector<ChunkRecord>> read_index(std::string const& path) {
    SLUICE_TRY(StoredDataset const d, describe(path, "/d"));
    SLUICE_TRY(File const file, File::open(path));
    ReadFile const in(file);
    SLUICE_TRY(Superblock const sb, read_superblock(in));
    return read_chunk_index(in, sb, d.chunks, grid_of(d));
}

class EveryIndex : public testing::TestWithParam<Case> {};

TEST_P(EveryIndex, AgreesWithLibhdf5) {
    Case const& c = GetParam();
    std::string const path = fresh_folder() + "/x.h5";
    write_case(c, path);
    auto const records = read_index(path);
    ASSERT_TRUE(records) << records.error().text();
    LibraryLock lock;
    auto const d = describe(path, "/d");
    ASSERT_TRUE(d);
    Handle const opened(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
    Handle const set(H5Dopen2(opened.id(), "/d", H5P_DEFAULT), H5Dclose);
    hsize_t const count = count_of(c);
    auto const file = File::open(path);
    ASSERT_TRUE(file);
    std::size_t next = 0;
    for (hsize_t i = 0; i < count; ++i) {
        bool const here = next < records->size() && (*records)[next].chunk == i;
        ASSERT_EQ(here, c.early || i % c.every == 0) << i;
        if (!here) continue;
        ChunkRecord const r = (*records)[next++];
        hsize_t bytes = 0;
        auto const at = position(c, i);
        ASSERT_GE(H5Dget_chunk_storage_size(set.id(), at.data(), &bytes), 0);
        ASSERT_EQ(r.bytes, bytes) << i;
        std::vector<std::byte> ours(r.bytes), theirs(r.bytes);
        unsigned mask = 0;
        ASSERT_TRUE(file->read(r.address, ours));
        ASSERT_GE(H5Dread_chunk(set.id(), H5P_DEFAULT, at.data(), &mask, theirs.data()), 0);
        ASSERT_EQ(ours, theirs) << i;
        ASSERT_EQ(r.filter_mask, mask) << i;
    }
    EXPECT_EQ(next, records->size());
}

std::vector<Case> cases() {
    return {
        {"btree1", false, {7}, {7}, true},
        {"btree1_deep", false, {5000}, {free_size}, true},
        {"btree1_plain", false, {300}, {300}, false},
        {"btree1_4d", false, {20, 30}, {free_size, 30}, true},
        {"btree1_sparse", false, {5000}, {free_size}, true, 7},
        {"btree1_user_block", false, {100}, {100}, true, 1, false, 1024},
        {"single", true, {1}, {1}, true},
        {"single_plain", true, {1}, {1}, false},
        {"implicit", true, {50}, {60}, false, 1, true},
        {"fixed", true, {100}, {100}, true},
        {"fixed_plain", true, {100}, {100}, false, 3},
        {"fixed_paged", true, {5000}, {5000}, true, 1500},
        {"fixed_grown", true, {20, 30}, {25, 40}, true},
        {"extensible", true, {2500}, {free_size}, true},
        {"extensible_plain", true, {2500}, {free_size}, false, 3},
        {"extensible_paged", true, {140000}, {free_size}, true, 13},
        {"extensible_second", true, {20, 30}, {25, free_size}, true},
        {"btree2", true, {40, 50}, {free_size, free_size}, true},
        {"btree2_deep", true, {150, 200}, {free_size, free_size}, false},
    };
}

INSTANTIATE_TEST_SUITE_P(ChunkIndex, EveryIndex, testing::ValuesIn(cases()),
                         [](auto const& info) { return std::string(info.param.name); });

TEST(ChunkIndex, AnEmptyDatasetHasNoChunks) {
    for (bool latest : {false, true}) {
        std::string const path = fresh_folder() + "/x.h5";
        Case const c{"", latest, {9}, {free_size}, true, 100};
        {
            Handle const file = create_file(path, latest);
            make_dataset(file.id(), "/d", spec_of(c));
        }
        auto const records = read_index(path);
        ASSERT_TRUE(records) << records.error().text();
        EXPECT_TRUE(records->empty());
    }
}

/// One dataset of each kind, small enough to damage every byte of it.
class DamagedIndex : public testing::TestWithParam<Case> {};

TEST_P(DamagedIndex, EndsInAnErrorOrInRecordsWithinReason) {
    std::string const path = fresh_folder() + "/x.h5";
    write_case(GetParam(), path);
    auto const d = describe(path, "/d");
    ASSERT_TRUE(d);
    auto const good = slurp(path);
    auto const read = [&](Bytes bytes, Sums sums) -> Result<std::vector<ChunkRecord>> {
        ReadMemory const in(bytes);
        SLUICE_TRY(Superblock const sb, read_superblock(in));
        return read_chunk_index(in, sb, d->chunks, grid_of(*d), sums);
    };
    auto const whole = read(good, Sums::compare);
    ASSERT_TRUE(whole);
    ASSERT_EQ(whole->size(), GetParam().leading[0]);
    std::size_t refused = 0;
    for (std::size_t n = 0; n < good.size(); n += 1 + n / 200)
        refused += !read(Bytes(good).first(n), Sums::compare);
    EXPECT_GT(refused, 0u);
    std::size_t found = 0;
    for (std::size_t i = 0; i < good.size(); ++i)
        for (int flip : {0x01, 0x80, 0xff}) {
            auto bad = good;
            bad[i] ^= static_cast<std::byte>(flip);
            static_cast<void>(read(bad, Sums::ignore));
            auto const records = read(bad, Sums::compare);
            found += !records;
            // The version 1 B-tree has no checksum.
            if (GetParam().latest && records) {
                ASSERT_EQ(*records, *whole) << i;
            }
        }
    EXPECT_GT(found, 0u);
}

INSTANTIATE_TEST_SUITE_P(
    ChunkIndex, DamagedIndex,
    testing::Values(Case{"btree1", false, {70}, {70}, true}, Case{"fixed", true, {20}, {20}, true},
                    Case{"fixed_plain", true, {20}, {20}, false},
                    Case{"extensible", true, {60}, {free_size}, true},
                    Case{"extensible_plain", true, {60}, {free_size}, false},
                    Case{"btree2", true, {30, 1}, {free_size, free_size}, true},
                    Case{"btree2_plain", true, {30, 1}, {free_size, free_size}, false}),
    [](auto const& info) { return std::string(info.param.name); });

TEST(ChunkIndex, ChunksThatShareBytesAreCorrupt) {
    std::string const path = fresh_folder() + "/x.h5";
    write_case({"", false, {30}, {30}, false}, path);
    auto const d = describe(path, "/d");
    ASSERT_TRUE(d);
    auto const good = slurp(path);
    auto const records = read_index(path);
    ASSERT_TRUE(records);
    // Turns over each bit of an address that stays among the chunks: it points into another one.
    std::uint64_t const address = (*records)[11].address;
    auto bits = std::as_bytes(std::span(&address, 1));
    auto const at = std::search(good.begin(), good.end(), bits.begin(), bits.end());
    ASSERT_NE(at, good.end());
    for (unsigned bit = 0; bit < 6; ++bit) {
        auto bad = good;
        bad[static_cast<std::size_t>(at - good.begin())] ^= static_cast<std::byte>(1u << bit);
        ReadMemory const in(bad);
        auto const sb = read_superblock(in);
        ASSERT_TRUE(sb);
        auto const damaged = read_chunk_index(in, *sb, d->chunks, grid_of(*d));
        ASSERT_FALSE(damaged) << bit;
        EXPECT_NE(damaged.error().message.find("share bytes"), std::string::npos);
    }
}

TEST(ChunkIndex, ARingOfNodesIsCorrupt) {
    std::string const path = fresh_folder() + "/x.h5";
    write_case({"", false, {500}, {free_size}, true}, path);
    auto const d = describe(path, "/d");
    ASSERT_TRUE(d);
    auto bytes = slurp(path);
    // Point every child of the inner nodes at one leaf: the walk would read it over and over.
    for (std::size_t i = 0; i + 72 < bytes.size(); ++i) {
        bool const inner = Cursor(Bytes(bytes).subspan(i)).literal("TREE") &&
                           bytes[i + 4] == std::byte{1} && bytes[i + 5] == std::byte{1};
        if (!inner) continue;
        for (std::size_t k = 1; k < std::to_integer<std::size_t>(bytes[i + 6]); ++k)
            std::copy_n(bytes.begin() + static_cast<long>(i + 64), 8,
                        bytes.begin() + static_cast<long>(i + 64 + 48 * k));
    }
    ReadMemory const in(bytes);
    auto const sb = read_superblock(in);
    ASSERT_TRUE(sb);
    auto const records = read_chunk_index(in, *sb, d->chunks, grid_of(*d));
    ASSERT_FALSE(records);
    EXPECT_EQ(records.error().code, Code::corrupt);
    EXPECT_TRUE(records.error().at.has_value());
}

TEST(ChunkIndex, AnotherShapeIsRefused) {
    std::string const path = fresh_folder() + "/x.h5";
    write_case({"", false, {4}, {4}, false}, path);
    auto const d = describe(path, "/d");
    ASSERT_TRUE(d);
    auto const file = File::open(path);
    ASSERT_TRUE(file);
    ReadFile const in(*file);
    auto const sb = read_superblock(in);
    ASSERT_TRUE(sb);
    auto grid = grid_of(*d);
    grid.chunk = {2, rows, cols};
    auto const records = read_chunk_index(in, *sb, d->chunks, grid);
    ASSERT_FALSE(records);
    EXPECT_EQ(records.error().code, Code::corrupt);
    EXPECT_FALSE(read_chunk_index(in, *sb, d->chunks, ChunkGrid{}));
    auto layout = d->chunks;
    layout.address = std::uint64_t{1} << 60;
    EXPECT_FALSE(read_chunk_index(in, *sb, layout, grid_of(*d)));
}

TEST(Superblock, IsFoundBehindAUserBlockAndNowhereElse) {
    std::vector<std::byte> bytes(5000);
    EXPECT_FALSE(read_superblock(ReadMemory(bytes)));
    constexpr std::string_view mark = "\x89HDF\r\n\x1a\n";
    auto const put = [&](std::size_t at) {
        std::transform(mark.begin(), mark.end(), bytes.begin() + static_cast<long>(at),
                       [](char c) { return static_cast<std::byte>(c); });
    };
    put(700);
    EXPECT_FALSE(read_superblock(ReadMemory(bytes)));
    put(1024);
    // Version 0 with addresses of 0 bytes.
    EXPECT_FALSE(read_superblock(ReadMemory(bytes)));
    bytes[1024 + 13] = bytes[1024 + 14] = std::byte{4};
    auto const sb = read_superblock(ReadMemory(bytes));
    ASSERT_TRUE(sb);
    EXPECT_EQ(sb->address_bytes, 4u);
    EXPECT_EQ(sb->undefined(), 0xffffffffu);
    EXPECT_FALSE(read_superblock(ReadMemory(Bytes(bytes).first(1040))));
}

}  // namespace
}  // namespace sluice::hdf5
