// Canvases that are nearly empty: time, memory and files follow the tiles.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/ngff/convert_test.h"
#include "domain/slide/ngff/cover.h"
#include "domain/slide/ngff/journal.h"

namespace sluice::slide {
namespace {

test::Tile tile_at(index x, index y, std::int32_t z = 0, std::int32_t t = 0) {
    test::Tile tile;
    tile.rect = {x, y, 64, 64};
    tile.pixel_type = PixelType::gray16;
    tile.at[Z] = z, tile.at[slide::T] = t;
    tile.paint = test::paint_by([](test::Point const& p) {
        return static_cast<double>(1 + (p.x % 64) * 7 + (p.y % 64) * 131 + p.at[Z]);
    });
    return tile;
}

// A chunk of a level that holds a pixel.
std::vector<std::uint16_t> chunk_with(std::string const& level, index x, index y,
                                      std::array<index, 3> plane = {}) {
    auto const array = zarr::Array::open(level).value();
    index const side = array.spec().chunk[4], rows = array.spec().chunk[3];
    std::vector<std::uint16_t> out(static_cast<std::size_t>(side * rows));
    std::array<index, 5> const at{plane[0], plane[1], plane[2], y / rows, x / side};
    zarr::ChunkScratch scratch;
    array.read_chunk(at, std::as_writable_bytes(std::span(out)), scratch).value();
    return out;
}

int count_files(std::string const& folder) {
    int n = 0;
    for (fs::directory_entry const& e : fs::recursive_directory_iterator(folder))
        n += e.is_regular_file() ? 1 : 0;
    return n;
}

// One turned bit of a coordinate makes a canvas of 10^18 pixels. Without the sparse way these would
// be written for days.
TEST_F(SlideConvert, WorkFollowsTheTilesAndNotTheCanvas) {
    for (index const far : {index{200'000}, index{1} << 30})
        for (char const* ngff : {"0.4", "0.5"}) {
            test::CziFile f;
            f.tiles = {tile_at(0, 0), tile_at(far, far)};
            ConvertOptions o;
            o.ngff = ngff, o.verify = true, o.chunk = 512;
            o.fill = far == 200'000 ? 9 : 0;
            if (o.ngff == "0.5") o.shard = 1024;
            std::string const out = file(ngff + std::to_string(far));
            auto const r = convert(open(f), out, o);
            ASSERT_TRUE(r) << r.error().text();
            EXPECT_EQ(r->images[0].shape[4], far + 64);
            index const file_pixels = index{1024} * 1024;
            EXPECT_LE(r->pixels, 2 * 4 * file_pixels);
            // A file of metadata and two of chunks for each level, and those of the groups.
            EXPECT_LE(count_files(out), 3 * r->images[0].levels + 12);
            EXPECT_LE(r->chunks - r->chunks_empty, 2 * r->images[0].levels);
            auto const last = chunk_with(out + "/0/0", far, far);
            index const side = zarr::Array::open(out + "/0/0").value().spec().chunk[4];
            auto const at = static_cast<std::size_t>(far % side * (side + 1));
            EXPECT_EQ(last[at], 1 + far % 64 * 138);
            EXPECT_EQ(last[at == 0 ? 64 : at - 1], o.fill);
            EXPECT_EQ(chunk_with(out + "/0/0", far / 2, far / 2),
                      std::vector<std::uint16_t>(last.size(), static_cast<std::uint16_t>(o.fill)));
            // The tile is there in each level, as the mean of what is above.
            auto const above = chunk_with(out + "/0/0", 0, 0);
            auto const below = chunk_with(out + "/0/1", 0, 0);
            EXPECT_EQ(below[0], (above[0] + above[1] + above[512] + above[513] + 2) / 4);
            EXPECT_NE(chunk_with(out + "/0/5", 0, 0)[0], o.fill);
            // More chunks than can be listed are read by the list of files.
            auto const again = Slide::open(out);
            ASSERT_TRUE(again) << again.error().text();
            Selection region;
            region.rect = Rect{far, far, 64, 64};
            auto const image = again->read(region, 0).value();
            region.rect->x = region.rect->y = 0;
            auto const first = again->read(region, 0).value();
            EXPECT_EQ(std::memcmp(image.pixels.data(), first.pixels.data(), 64 * 64 * 2), 0);
            std::uint16_t pixel = 0;
            std::memcpy(&pixel, image.pixels.data() + 2 * (64 + 1), 2);
            EXPECT_EQ(pixel, 1 + 138);
        }
}

TEST_F(SlideConvert, SparseLevelsAreTheSameInStripsShardsAndOnEveryDevice) {
    test::CziFile f;
    for (index const i : {0, 3, 4, 11, 12, 13, 30, 39})
        for (index const j : {0, 9, 10, 38}) f.tiles.push_back(tile_at(i * 50, j * i * 2));
    Slide const slide = open(f);
    ConvertOptions o = small_options();
    o.chunk = 16, o.min_size = 4, o.verify = true;
    ASSERT_TRUE(convert(slide, file("whole"), o));
    auto const wanted = read_level<std::uint16_t>(file("whole/0/0"));
    auto const image = slide.read({}, 0).value();
    ASSERT_EQ(image.pixels.size(), wanted.size() * 2);
    EXPECT_EQ(std::memcmp(wanted.data(), image.pixels.data(), image.pixels.size()), 0);
    expect_pyramid<std::uint16_t>(file("whole/0"), 11);
    auto const same = [&](char const* name) {
        auto const r = convert(slide, file(name), o);
        ASSERT_TRUE(r) << name << ": " << r.error().text();
        for (int l = 0; l < 11; ++l) {
            std::string const level = "/0/" + std::to_string(l);
            EXPECT_EQ(read_level<std::uint16_t>(file(name) + level),
                      read_level<std::uint16_t>(file("whole") + level))
                << name << ", level " << l;
        }
    };
    o.memory_limit = 3 * 16 * 16 * 2;
    same("narrow");
    o.memory_limit = 20 * 16 * 16 * 2;
    same("wider");
    o.memory_limit = 1 << 30;
    o.ngff = "0.5", o.shard = 48, o.codec = ChunkCodec::zstd;
    same("shards");
    o.device = Device::fake();
    same("fake");
    // What was stopped goes on to the same files.
    o.verify = false;
    for (double const stop : {0.1, 0.6}) {
        ASSERT_FALSE(convert(slide, file("part"), stopping(o, stop)));
        ConvertOptions again = o;
        again.resume = true;
        auto const r = convert(slide, file("part"), again);
        ASSERT_TRUE(r) << r.error().text();
        EXPECT_TRUE(r->resumed);
        EXPECT_EQ(count_files(file("part")), count_files(file("fake")));
        for (int l = 0; l < 11; ++l) {
            std::string const level = "/0/" + std::to_string(l);
            EXPECT_EQ(read_level<std::uint16_t>(file("part") + level),
                      read_level<std::uint16_t>(file("whole") + level));
        }
        fs::remove_all(file("part"));
    }
}

TEST_F(SlideConvert, PlanesWithoutTilesAreNotMade) {
    test::CziFile f;
    std::int32_t const far = 1 << 30;
    f.tiles = {tile_at(0, 0), tile_at(0, 0, far), tile_at(0, 0, 5, far), tile_at(70, 0, far, far)};
    auto const r = convert(open(f), file("x"), small_options());
    ASSERT_TRUE(r) << r.error().text();
    EXPECT_EQ(r->images[0].shape, (std::array<index, 5>{far + 1, 1, far + 1, 64, 134}));
    EXPECT_LE(r->pixels, 4 * 64 * 134);
    EXPECT_GT(r->chunks_empty, r->chunks / 2);
    auto const p = chunk_with(file("x/0/0"), 0, 0, {far, 0, 5});
    EXPECT_EQ(p[0], 6);
    EXPECT_EQ(chunk_with(file("x/0/0"), 0, 0, {0, 0, far})[0], 1 + far % 65536);
    EXPECT_EQ(chunk_with(file("x/0/0"), 0, 0, {far, 0, 6})[0], 0);
}

// As many scenes as channels, each scene with one: their axes would be their product.
TEST_F(SlideConvert, ChannelsOfManyScenesFollowTheirTiles) {
    test::CziFile f;
    for (std::int32_t i = 0; i < 300; ++i) {
        test::Tile t = tile_at(0, 100 * i);
        t.rect.width = t.rect.height = 4;
        t.scene = i;
        t.at[C] = i;
        f.tiles.push_back(t);
    }
    auto const r = convert(open(f), file("x"), small_options());
    ASSERT_TRUE(r) << r.error().text();
    ASSERT_EQ(r->images.size(), 300U);
    EXPECT_EQ(r->images[7].shape, (std::array<index, 5>{1, 1, 1, 4, 4}));
    EXPECT_LE(r->pixels, 300 * 16);
}

TEST_F(SlideConvert, FillBadMayComeWithResume) {
    test::CziFile f = small_slide(PixelType::gray16, 1, 2);
    f.tiles.back().compression = czi::Compression::zstd0;
    f.tiles.back().data = std::vector<std::byte>(100, std::byte{7});
    Slide const slide = open(f);
    ConvertOptions o = small_options();
    auto const first = convert(slide, file("x"), o);
    ASSERT_FALSE(first);
    std::size_t steps = ome::read_journal(file("x.part")).value().steps.size();
    EXPECT_GT(steps, 0U);
    o.resume = true, o.fill_bad = 3;
    auto const r = convert(slide, file("x"), o);
    ASSERT_TRUE(r) << r.error().text();
    EXPECT_TRUE(r->resumed);
    EXPECT_EQ(r->tiles_filled.size(), 1U);
    ConvertOptions fresh = small_options();
    fresh.fill_bad = 3;
    ASSERT_TRUE(convert(slide, file("y"), fresh));
    EXPECT_EQ(files_of(file("x")), files_of(file("y")));
}

// Each touched square of files is in one run, and runs begin and end at files of the last level.
TEST(Cover, RunsHoldAllTilesOnce) {
    ome::ImagePlan image;
    image.rect = {0, 0, 1000, 700};
    for (index w = 1000, h = 700; w > 8; w = (w + 1) / 2, h = (h + 1) / 2)
        image.levels.push_back({w, h, 16, 16, 16, 16});
    image.planes = {{0, 0, 0, {{0, 0, 5, 5}, {300, 31, 40, 2}, {990, 690, 10, 10}}},
                    {0, 0, 1, {{310, 60, 8, 8}}}};
    for (int source = 0; source < 3; ++source)
        for (int last = source; last < 5; ++last)
            for (index const strips : {1, 3, 1000}) {
                ome::Pass const pass{source, last, strips * (index{16} << (last - source))};
                auto const runs = ome::runs_of(image, pass, 16, image.planes);
                index const side = index{16} << (last - source);
                auto const& level = image.levels[static_cast<std::size_t>(source)];
                for (ome::BandRun const& r : runs) {
                    EXPECT_EQ(r.x % side, 0);
                    EXPECT_TRUE(r.width % side == 0 || r.x + r.width == level.width);
                    EXPECT_LE(r.width, pass.strip);
                    EXPECT_EQ(r.first * 16 % side, 0);
                    EXPECT_LE((r.first + r.bands - 1) * 16, level.height);
                }
                for (auto const& plane : image.planes)
                    for (Rect const& t : plane.tiles) {
                        index const x = (t.x + t.width - 1) >> source, y = t.y >> source;
                        EXPECT_EQ(std::ranges::count_if(runs,
                                                        [&](ome::BandRun const& r) {
                                                            return x >= r.x && x < r.x + r.width &&
                                                                   y / 16 >= r.first &&
                                                                   y / 16 < r.first + r.bands;
                                                        }),
                                  1);
                    }
            }
}

}  // namespace
}  // namespace sluice::slide
