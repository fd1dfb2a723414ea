// Arrays in one zip file: as zarr-python's ZipStore writes them, and packed folders; and damage.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "format/raw/test_flat.h"
#include "format/weights/test_checkpoint.h"
#include "format/zarr/zarr.h"
#include "zarr/array.h"

namespace sluice {
namespace {

using weights::zip_of;
using Members = std::vector<std::pair<std::string, std::string>>;

class ZarrZip : public FormatFolder {
  protected:
    // 2 x 3 frames of 2 x 4 values that count up, in chunks of a row of frames.
    Members members(std::vector<index> const& shard = {}) {
        std::string const path = (folder_ / "a.zarr").string();
        std::filesystem::remove_all(path);
        auto const array = zarr::Array::create(path, {.dtype = DType::u16,
                                                      .shape = {2, 3, 2, 4},
                                                      .chunk = {1, 3, 2, 4},
                                                      .shard = shard,
                                                      .fill = 9});
        EXPECT_TRUE(array);
        zarr::ChunkScratch scratch;
        std::vector<std::vector<std::byte>> encoded;
        for (index row = 0; row < 2; ++row) {
            std::vector<std::uint16_t> v;
            for (index i = 0; i < 24; ++i) v.push_back(static_cast<std::uint16_t>(24 * row + i));
            auto const bytes = std::as_bytes(std::span(v));
            std::vector<index> const at{row, 0, 0, 0};
            if (shard.empty()) {
                EXPECT_TRUE(array->write_chunk(at, bytes, scratch));
            } else {
                encoded.push_back(array->encode(bytes, scratch).value());
            }
        }
        if (!shard.empty()) {
            EXPECT_TRUE(array->write_shard(std::vector<index>{0, 0, 0, 0}, encoded));
        }
        Members all;
        for (auto const& entry : std::filesystem::recursive_directory_iterator(path)) {
            if (entry.is_directory()) continue;
            std::ifstream in(entry.path(), std::ios::binary);
            all.emplace_back(entry.path().string().substr(path.size() + 1),
                             std::string{std::istreambuf_iterator<char>(in), {}});
        }
        return all;
    }
};

void counts_up(Result<Dataset> const& d) {
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_EQ(d->format, "zarr");
    EXPECT_EQ(d->scan, (std::array<index, 2>{2, 3}));
    auto const v = values_of<std::uint16_t>(*d, 4);
    ASSERT_EQ(v.size(), 48u);
    for (std::size_t i = 0; i < v.size(); ++i) ASSERT_EQ(v[i], i);
}

TEST_F(ZarrZip, reads_what_the_folder_has) {
    for (std::vector<index> const& shard : {std::vector<index>{}, {2, 3, 2, 4}})
        for (bool const wide : {false, true}) {
            Members all = members(shard);
            counts_up(open((folder_ / "a.zarr").string()));
            counts_up(open(write("a.zarr.zip", zip_of(all, wide))));
            // A folder that was packed with its name.
            for (auto& [name, text] : all) name = "scan.zarr/" + name;
            counts_up(open(write("b.zip", zip_of(all, wide))));
            // An array within a group.
            all.emplace_back("zarr.json", R"({"zarr_format": 3, "node_type": "group"})");
            counts_up(open(write("c.zip", zip_of(all, wide))));
        }
}

TEST_F(ZarrZip, a_file_that_changes_is_read_again) {
    Members all = members();
    counts_up(open(write("a.zip", zip_of(all))));
    std::erase_if(all, [](auto const& m) { return m.first.starts_with("c/1"); });
    auto const d = open(write("a.zip", zip_of(all)));
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_TRUE(has_text(d->warnings, "1 of the 2 files"));
    EXPECT_EQ(values_of<std::uint16_t>(*d)[47], 9);
}

TEST_F(ZarrZip, the_newest_member_of_a_name_counts) {
    Members all = members();
    all.insert(all.begin(), {"zarr.json", "{}"});
    counts_up(open(write("a.zip", zip_of(all))));
}

TEST_F(ZarrZip, refuses_every_truncation_and_other_zips) {
    std::string const whole = zip_of(members());
    std::string const path = write("a.zip", whole);
    counts_up(open(path));
    refuses_every_truncation(path, whole, 3);
    EXPECT_FALSE(open(write("b.zip", zip_of({{"a.txt", "hello"}}))));
    for (std::size_t at = 0; at < whole.size(); ++at) {
        std::string lie = whole;
        lie[at] = static_cast<char>(lie[at] ^ 0x55);
        auto const d = open(write("a.zip", lie));
        std::vector<EncodedFrame> frames(6);
        FetchScratch scratch;
        if (d && d->bytes() < 1 << 20) (void)d->source->fetch(0, frames, scratch);
    }
}

}  // namespace
}  // namespace sluice
