// Opening CZI files: what is read, and what is said of files that are broken.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/czi.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "czi_writer/czi_writer.h"
#include "czi_writer/damage.h"
#include "czi_writer/grid.h"
#include "czi_writer/pixels.h"

namespace sluice::czi {
namespace {

test::CziFile sound() {
    test::Grid grid;
    grid.overlap = 8;
    grid.area = area_of(grid, 3, 2, -100, 50);
    grid.like.scene = 0;
    grid.like.paint = test::texture();
    test::CziFile f;
    f.tiles = mosaic(grid);
    f.attachments = {{"TimeStamps", "CZTIMS", test::time_stamps({0.5, 1.25})}};
    f.metadata.x_um = 0.25;
    f.metadata.y_um = 0.5;
    Channel c;
    c.name = "DAPI";
    c.color = "0000FF";
    f.metadata.channels = {c};
    return f;
}

Result<File> open(std::vector<std::byte> bytes, bool recover = false) {
    return File::open(memory_source("x.czi", std::move(bytes)), {recover});
}

void put(std::vector<std::byte>& bytes, std::uint64_t at, std::int32_t value) {
    std::memcpy(bytes.data() + at, &value, sizeof value);
}

std::int32_t get(std::vector<std::byte> const& bytes, std::uint64_t at) {
    std::int32_t value = 0;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
}

TEST(Czi, Entries) {
    auto const file = open(sound().bytes());
    ASSERT_TRUE(file) << file.error().text();
    ASSERT_EQ(file->entries().size(), 6u);
    Entry const& e = file->entries()[1];
    EXPECT_EQ(e.rect, (Rect{-100 + 56, 50, 64, 64}));
    EXPECT_EQ(e.stored_width, 64);
    EXPECT_EQ(e.m, 1);
    EXPECT_EQ(e.scene, 0);
    EXPECT_EQ(e.pixel_type, PixelType::gray8);
    auto const where = file->locate(e);
    ASSERT_TRUE(where);
    EXPECT_EQ(where->data_size, 64u * 64u);
    EXPECT_TRUE(file->notes().empty());
}

// Bytes that a stopped writer left behind its last tile do not damage that tile; nor does a lost
// part of the file damage the tile before it.
TEST(Czi, TilesBeforeNothingAreRecovered) {
    std::vector<std::byte> const whole = sound().bytes();
    auto const first = open(whole);
    ASSERT_TRUE(first);
    std::uint64_t const second = first->entries()[1].offset;
    std::vector<std::byte> room(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(second));
    room.resize(room.size() + 4096);
    std::vector<std::byte> lost = whole;
    std::fill_n(lost.begin() + static_cast<std::ptrdiff_t>(second), 512, std::byte{0});
    for (auto const& bytes : {room, lost}) {
        auto const file = open(bytes, true);
        ASSERT_TRUE(file) << file.error().text();
        auto const where = file->locate(file->entries()[0]);
        EXPECT_TRUE(where) << where.error().text();
    }
    std::vector<std::byte> other = room;
    std::fill(other.begin() + static_cast<std::ptrdiff_t>(second), other.end(), std::byte{7});
    auto const file = open(other, true);
    ASSERT_TRUE(file);
    auto const where = file->locate(file->entries()[0]);
    ASSERT_FALSE(where);
    EXPECT_EQ(where.error().message.find("--trust-directory"), std::string::npos)
        << "it excludes --recover";
}

TEST(Czi, Metadata) {
    auto const file = open(sound().bytes());
    ASSERT_TRUE(file);
    auto const xml = file->xml();
    ASSERT_TRUE(xml);
    auto const m = parse_metadata(*xml);
    ASSERT_TRUE(m) << m.error().text();
    EXPECT_NEAR(m->x_um, 0.25, 1e-9);
    EXPECT_NEAR(m->y_um, 0.5, 1e-9);
    EXPECT_EQ(m->z_um, 0);
    ASSERT_EQ(m->channels.size(), 1u);
    EXPECT_EQ(m->channels[0].name, "DAPI");
    EXPECT_EQ(m->channels[0].color, "0000FF");
}

TEST(Czi, Attachments) {
    auto const file = open(sound().bytes());
    ASSERT_TRUE(file);
    auto const all = file->attachments();
    ASSERT_TRUE(all) << all.error().text();
    ASSERT_EQ(all->size(), 1u);
    auto const bytes = file->read(all->front());
    ASSERT_TRUE(bytes);
    auto const times = parse_time_stamps(*bytes);
    ASSERT_TRUE(times);
    EXPECT_EQ(*times, (std::vector<double>{0.5, 1.25}));
}

TEST(Czi, HabitsOfOtherWriters) {
    test::CziFile f = sound();
    auto const plain = open(f.bytes());
    ASSERT_TRUE(plain);
    for (int habit = 0; habit < 5; ++habit) {
        f.habits = {};
        f.habits.directory_first = habit == 0;
        f.habits.used_size_zero = habit == 1;
        f.habits.stored_size_zero = habit == 2;
        f.habits.deleted_every = habit == 3 ? 2 : 0;
        for (test::Tile& t : f.tiles) t.dimensions = habit == 4 ? "MSYXTZC" : "XYCZTSM";
        auto const file = open(f.bytes());
        ASSERT_TRUE(file) << habit << file.error().text();
        ASSERT_EQ(file->entries().size(), 6u) << habit;
        for (std::size_t i = 0; i < 6; ++i) {
            EXPECT_EQ(file->entries()[i].rect, plain->entries()[i].rect) << habit;
            EXPECT_EQ(file->entries()[i].stored_height, 64) << habit;
            EXPECT_TRUE(file->locate(file->entries()[i])) << habit;
        }
        auto const broken = check(*file);
        ASSERT_TRUE(broken);
        for (Violation const& v : *broken) ADD_FAILURE() << habit << v.rule << v.message;
    }
}

TEST(Czi, MoreDimensionsThanTheHeadHasRoomFor) {
    test::CziFile f = sound();
    for (test::Tile& t : f.tiles) t.dimensions = "XYCZTRIHVBSM";
    auto const file = open(f.bytes());
    ASSERT_TRUE(file);
    auto const where = file->locate(file->entries()[0]);
    ASSERT_TRUE(where);
    EXPECT_EQ(where->data - file->entries()[0].offset, 32u + 16u + 32u + 12u * 20u);
}

TEST(Czi, EveryDamageIsAnErrorOrHarmless) {
    std::vector<std::byte> const bytes = sound().bytes();
    for (int k = 0; k < static_cast<int>(test::Damage::count); ++k) {
        auto const kind = static_cast<test::Damage>(k);
        auto const file = open(test::damaged(bytes, kind));
        if (!file) {
            EXPECT_FALSE(file.error().message.empty());
            EXPECT_EQ(file.error().file, "x.czi") << name_of(kind);
            continue;
        }
        bool found = false;
        for (Entry const& e : file->entries()) found |= !file->locate(e);
        auto const violations = check(*file);
        ASSERT_TRUE(violations);
        found |= !violations->empty();
        // Pixels that are wrong in a tile without compression cannot be told from right ones.
        bool const silent = kind == test::Damage::data_broken;
        EXPECT_TRUE(found || silent || !file->notes().empty()) << name_of(kind);
    }
}

TEST(Czi, MessagesNameThePlaceAndTheRemedy) {
    std::vector<std::byte> const bytes = sound().bytes();
    auto const message = [&](test::Damage kind) {
        auto const file = open(test::damaged(bytes, kind));
        return file ? std::string("opened") : file.error().text();
    };
    EXPECT_NE(message(test::Damage::update_pending).find("--recover"), std::string::npos);
    EXPECT_NE(message(test::Damage::schema_de).find("schema DE"), std::string::npos);
    EXPECT_NE(message(test::Damage::dimension_count_negative).find("-1 dimensions"),
              std::string::npos);
    EXPECT_NE(message(test::Damage::entry_count_huge).find("entries"), std::string::npos);
    EXPECT_NE(message(test::Damage::no_magic).find("at byte 0"), std::string::npos);
}

TEST(Czi, RecoveryFindsTheTilesWithoutADirectory) {
    std::vector<std::byte> const bytes = sound().bytes();
    auto const plain = open(bytes);
    ASSERT_TRUE(plain);
    for (test::Damage const kind :
         {test::Damage::update_pending, test::Damage::directory_absent,
          test::Damage::directory_outside, test::Damage::entry_count_huge,
          test::Damage::dimension_count_negative, test::Damage::truncated}) {
        auto const file = open(test::damaged(bytes, kind), true);
        ASSERT_TRUE(file) << name_of(kind) << file.error().text();
        std::size_t const whole =
            kind == test::Damage::truncated || kind == test::Damage::dimension_count_negative ? 1
                                                                                              : 6;
        EXPECT_GE(file->entries().size(), whole) << name_of(kind);
        EXPECT_FALSE(file->notes().empty());
        for (Entry const& e : file->entries()) EXPECT_TRUE(file->locate(e)) << name_of(kind);
    }
}

TEST(Czi, RecoveryWalksOverRubbish) {
    std::vector<std::byte> bytes = sound().bytes();
    auto const plain = open(bytes);
    ASSERT_TRUE(plain);
    std::uint64_t const second = plain->entries()[1].offset;
    std::memset(bytes.data() + second, 0xa5, 4096);
    auto const file = open(bytes, true);
    ASSERT_TRUE(file) << file.error().text();
    EXPECT_EQ(file->entries().size(), 5u);
}

TEST(Czi, CheckNamesWhatIsWrong) {
    test::CziFile f = sound();
    f.tiles[3].m = f.tiles[2].m;
    f.tiles[4].pixel_type = PixelType::gray16;
    auto const file = open(f.bytes());
    ASSERT_TRUE(file);
    auto const violations = check(*file);
    ASSERT_TRUE(violations);
    std::string rules;
    for (Violation const& v : *violations) rules += v.rule + ";";
    EXPECT_NE(rules.find("duplicate tile;"), std::string::npos) << rules;
    EXPECT_NE(rules.find("pixel type of a channel;"), std::string::npos) << rules;
    EXPECT_EQ(violations->size(), 2u) << rules;
}

// X of a tile, in the directory or in the tile itself: neither alone is believed.
TEST(Czi, TwoDescriptionsOfATileThatDiffer) {
    auto const sound_file = open(sound().bytes()).value();
    Entry const tile = sound_file.entries()[2];
    for (std::uint64_t const entry : {tile.entry_offset, tile.offset + 32 + 16}) {
        std::vector<std::byte> bytes = sound().bytes();
        put(bytes, entry + 32 + 4, tile.rect.x ^ 16);
        auto const file = open(bytes);
        ASSERT_FALSE(file);
        EXPECT_EQ(file.error().at, tile.offset);
        for (char const* part : {"X is", "--recover", "--trust-directory"})
            EXPECT_NE(file.error().message.find(part), std::string::npos) << file.error().message;
        bool const in_directory = entry == tile.entry_offset;
        auto const trusted = File::open(memory_source("x.czi", bytes), {false, true});
        ASSERT_TRUE(trusted);
        EXPECT_EQ(trusted->entries()[2].rect.x == tile.rect.x, !in_directory);
        EXPECT_TRUE(trusted->locate(trusted->entries()[2]));
        auto const recovered = open(bytes, true);
        ASSERT_TRUE(recovered);
        EXPECT_EQ(recovered->entries()[2].rect.x == tile.rect.x, in_directory);
        EXPECT_NE(recovered->notes()[1].find("describes 1 of them differently"), std::string::npos);
        auto const broken = check(*trusted).value();
        EXPECT_TRUE(std::any_of(broken.begin(), broken.end(),
                                [](Violation const& v) { return v.rule == "two descriptions"; }));
    }
}

// Nothing reads this size, so that the tile's own copy is all that could tell; and that may be
// gone.
TEST(Czi, ADimensionThatStoresFewerPlanesThanItHas) {
    auto const sound_file = open(sound().bytes()).value();
    std::vector<std::byte> bytes = sound().bytes();
    std::uint64_t const entry = sound_file.entries()[2].entry_offset;
    int changed = 0;
    for (std::uint64_t at = entry + 32; at < entry + 32 + 5 * 20; at += 20)
        if (static_cast<char>(bytes[at]) == 'C') {
            bytes[at + 11] = std::byte{8};
            ++changed;
            break;
        }
    ASSERT_EQ(changed, 1);
    auto const file = open(bytes);
    ASSERT_FALSE(file);
    EXPECT_NE(file.error().message.find("dimension 'C' has the sizes 134217729 and 1"),
              std::string::npos)
        << file.error().message;
}

/// More than are compared at once.
test::CziFile many_tiles() {
    test::CziFile f;
    test::Grid grid;
    grid.tile_width = grid.tile_height = 4;
    grid.area = area_of(grid, 70, 70);
    f.tiles = mosaic(grid);
    return f;
}

// Of many tiles only those that decide on the extents are compared at once, the others when read.
TEST(Czi, TwoDescriptionsAmongManyTiles) {
    test::CziFile const f = many_tiles();
    std::vector<std::byte> const bytes = f.bytes();
    Entry const tile = open(bytes).value().entries()[2000];
    std::uint64_t const x = tile.entry_offset + 32 + 4;
    std::vector<std::byte> moved = bytes;
    put(moved, x, get(moved, x) ^ 1);
    auto const file = open(moved);
    ASSERT_TRUE(file) << file.error().text();
    EXPECT_TRUE(file->locate(file->entries()[1999]));
    auto const where = file->locate(file->entries()[2000]);
    ASSERT_FALSE(where);
    EXPECT_NE(where.error().message.find("--trust-directory"), std::string::npos);
    put(moved, x, get(moved, x) ^ 1 << 20);
    EXPECT_FALSE(open(moved));
}

TEST(Czi, AllTilesAreComparedWhenAsked) {
    test::CziFile const f = many_tiles();
    EXPECT_TRUE(open(f.bytes())->compare_all());
    std::vector<std::byte> const bytes =
        test::moved(test::moved(f.bytes(), 4000, 'X', 8), 2000, 'Y', 8);
    File const file = open(bytes).value();
    for (File const& copy : {file, File(file)}) {
        Status const s = copy.compare_all();
        ASSERT_FALSE(s);
        EXPECT_EQ(s.error().at, file.entries()[2000].offset);
        EXPECT_NE(s.error().message.find("(2 tiles of 4900)"), std::string::npos)
            << s.error().message;
    }
    EXPECT_TRUE(File::open(memory_source("x.czi", bytes), {false, true})->compare_all());
}

// One number of a sub-block's head moves what follows it: all of them fill the segment.
TEST(Czi, SizesThatDoNotFillTheirSegment) {
    test::CziFile f = sound();
    for (test::Tile& t : f.tiles) t.metadata = "<METADATA/>";
    std::vector<std::byte> const bytes = f.bytes();
    Entry const tile = open(bytes).value().entries()[1];
    for (std::uint64_t const at : {32, 36, 40, 24})
        for (int bit = 0; bit < 31; ++bit) {
            std::vector<std::byte> changed = bytes;
            put(changed, tile.offset + at, get(changed, tile.offset + at) ^ 1 << bit);
            auto const file = open(changed);
            ASSERT_TRUE(file);
            auto const where = file->locate(tile);
            ASSERT_FALSE(where) << at << " bit " << bit;
            EXPECT_EQ(where.error().at, tile.offset);
            EXPECT_FALSE(check(*file)->empty());
        }
    // Old writers leave the size in use at 0.
    std::vector<std::byte> old = bytes;
    put(old, tile.offset + 24, 0);
    EXPECT_TRUE(open(old)->locate(tile));
}

TEST(Czi, AnEntryLessThanTheDirectoryHas) {
    std::vector<std::byte> bytes = sound().bytes();
    std::uint64_t const at = open(bytes)->header().directory + 32;
    for (std::int32_t const count : {0, 1, 5}) {
        put(bytes, at, count);
        auto const file = open(bytes);
        ASSERT_FALSE(file) << count;
        EXPECT_NE(file.error().message.find("--recover"), std::string::npos);
        EXPECT_EQ(open(bytes, true)->entries().size(), 6u);
    }
}

TEST(Czi, AnAttachmentOfAnotherLengthThanItsSegment) {
    std::vector<std::byte> bytes = sound().bytes();
    std::uint64_t const data = open(bytes)->attachments()->front().data;
    put(bytes, data - 256, 16);
    auto const file = open(bytes).value();
    auto const all = file.attachments();
    ASSERT_TRUE(all);
    EXPECT_NE(all->front().problem.find("has 16 bytes"), std::string::npos) << all->front().problem;
    EXPECT_FALSE(file.read(all->front()));
    EXPECT_FALSE(check(file)->empty());
}

TEST(Czi, SizesOfTheXmlAreCompared) {
    test::CziFile f = sound();
    auto const count = [&](char const* size) {
        f.xml = fmt::format(
            "<ImageDocument><Metadata><Information><Image>{}</Image></Information>"
            "</Metadata></ImageDocument>",
            size);
        auto const found = check(open(f.bytes()).value()).value();
        EXPECT_TRUE(std::all_of(found.begin(), found.end(), [](auto const& v) { return v.note; }));
        return found.size();
    };
    EXPECT_EQ(count("<SizeX>64</SizeX><SizeC>1</SizeC>"), 0u);
    EXPECT_EQ(count("<SizeZ>7</SizeZ><SizeS>2</SizeS>"), 2u);
}

TEST(CziMask, RowsOfAnotherLength) {
    auto bytes = test::mask_attachment(11, 3, [](index, index) { return true; });
    bytes.resize(bytes.size() + 8);
    put(bytes, 16, get(bytes, 16) + 8);
    EXPECT_TRUE(parse_mask(bytes));
    put(bytes, 20 + 12, 3);
    EXPECT_FALSE(parse_mask(bytes));
}

TEST(CziMask, Bits) {
    auto const attachment =
        test::mask_attachment(11, 3, [](index x, index y) { return (x + y) % 3 == 0; });
    auto const mask = parse_mask(attachment);
    ASSERT_TRUE(mask) << mask.error().text();
    for (index y = 0; y < 3; ++y)
        for (index x = 0; x < 11; ++x) EXPECT_EQ(mask->valid(x, y), (x + y) % 3 == 0);
    EXPECT_FALSE(mask->valid(11, 0));
    EXPECT_FALSE(mask->valid(0, 3));
    EXPECT_FALSE(mask->valid(-1, 0));
}

TEST(CziMask, CutOffAtEveryByte) {
    auto const whole = test::mask_attachment(100, 20, [](index, index) { return true; });
    for (std::size_t n = 0; n < whole.size(); ++n) {
        auto const mask = parse_mask(Bytes(whole).first(n));
        EXPECT_TRUE(!mask || mask->width == 0) << n;
    }
}

TEST(CziMetadata, DisplaySettingsOfRenamedChannels) {
    std::string const begin =
        "<ImageDocument><Metadata><Information><Image><Dimensions><Channels>"
        "<Channel Id='Channel:0'/><Channel Id='Channel:1'/></Channels></Dimensions></Image>"
        "</Information><DisplaySetting><Channels>";
    std::string const first = "<Channel Id='Channel:1' Name='b'><Color>#FF0000FF</Color></Channel>";
    std::string const other = "<Channel Id='c15b' Name='a'><Color>#FF00FF00</Color></Channel>";
    std::string const end = "</Channels></DisplaySetting></Metadata></ImageDocument>";
    // By name where there is one, the rest in order.
    auto const m = parse_metadata(begin + first + other + end).value();
    ASSERT_EQ(m.channels.size(), 2u);
    EXPECT_EQ(m.channels[0].name, "a");
    EXPECT_EQ(m.channels[0].color, "00FF00");
    EXPECT_EQ(m.channels[1].name, "b");
    EXPECT_EQ(m.channels[1].color, "0000FF");
    // With more of them than channels it is unknown which belongs to which.
    auto const n = parse_metadata(begin + first + other + other + end).value();
    EXPECT_EQ(n.channels[0].name, "");
    EXPECT_EQ(n.channels[1].name, "b");
}

// ZEN draws by the display's colour; the channel's own is that of the dye or of the beginning.
TEST(CziMetadata, TheColourOfTheDisplayWins) {
    std::string const text =
        "<ImageDocument><Metadata><Information><Image><Dimensions><Channels>"
        "<Channel Id='Channel:0' Name='a'><Color>#FF00FFFF</Color></Channel>"
        "<Channel Id='Channel:1' Name='b'><Color>#FFFF00FF</Color></Channel></Channels>"
        "</Dimensions></Image></Information><DisplaySetting><Channels>"
        "<Channel Id='Channel:1'/><Channel Id='Channel:0'><Color>#FF00FF00</Color></Channel>"
        "</Channels></DisplaySetting></Metadata></ImageDocument>";
    auto const m = parse_metadata(text).value();
    EXPECT_EQ(m.channels[0].color, "00FF00");
    EXPECT_EQ(m.channels[1].color, "FF00FF");
}

TEST(CziMetadata, OddXml) {
    EXPECT_FALSE(parse_metadata("<a><b></a>"));
    EXPECT_TRUE(parse_metadata(""));
    EXPECT_TRUE(parse_metadata("<x/>"));
    auto const m = parse_metadata(
        "<ImageDocument><Metadata><Scaling><Items><Distance Id='X'><Value>nonsense</Value>"
        "</Distance><Distance Id='Y'><Value>-1</Value></Distance></Items></Scaling>"
        "</Metadata></ImageDocument>");
    ASSERT_TRUE(m);
    EXPECT_EQ(m->x_um, 0);
    EXPECT_EQ(m->y_um, 0);
    std::string deep;
    for (int i = 0; i < 200000; ++i) deep += "<a>";
    EXPECT_FALSE(parse_metadata(deep));
    for (int i = 0; i < 200000; ++i) deep += "</a>";
    EXPECT_TRUE(parse_metadata(deep));
}

}  // namespace
}  // namespace sluice::czi
