// Damage of small files, bits turned over and bytes too many or too few: the pixels stay, or there
// is an error.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>

#include "czi_writer/czi_writer.h"
#include "czi_writer/grid.h"
#include "czi_writer/pixels.h"
#include "sluice/slide.h"

// SLUICE_MUTATIONS=all turns over every bit, not some of them.
namespace sluice::slide {
namespace {

using czi::Compression;
using slide::PixelType;

struct Sample {
    std::string name;
    test::CziFile file;
};

test::CziFile grid_file(PixelType type, Compression compression, std::int32_t slices, bool levels) {
    test::Grid grid;
    grid.tile_width = 40;
    grid.tile_height = 36;
    grid.overlap = 5;
    grid.slices = slices;
    grid.area = area_of(grid, 2, 2, 30, 20);
    grid.like.pixel_type = type;
    grid.like.compression = compression;
    grid.like.scene = 0;
    grid.like.metadata = "<METADATA>odd</METADATA>";
    grid.like.paint = test::paint_by([](test::Point const& p) {
        return static_cast<double>((p.x * 7 + p.y * 13 + p.at[Z] * 29 + p.sample * 3) % 251);
    });
    test::CziFile file;
    file.tiles = mosaic(grid);
    if (levels)
        for (test::Tile& t : pyramid(grid)) file.tiles.push_back(std::move(t));
    return file;
}

std::vector<Sample> samples() {
    std::vector<Sample> all;
    all.push_back({"plain", grid_file(PixelType::gray8, Compression::none, 2, false)});
    all.push_back({"zstd1", grid_file(PixelType::gray16, Compression::zstd1, 1, true)});
    all.push_back({"jpeg xr", grid_file(PixelType::bgr24, Compression::jpeg_xr, 1, false)});
    all.push_back({"lzw", grid_file(PixelType::bgr48, Compression::lzw, 1, false)});
    all.push_back({"masks", grid_file(PixelType::gray8, Compression::zstd0, 1, false)});
    for (test::Tile& t : all.back().file.tiles) {
        t.metadata = std::string(test::mask_metadata);
        t.attachment = test::mask_attachment(t.rect.width, t.rect.height,
                                             [](index x, index y) { return (x + y) % 9 < 5; });
    }
    all.push_back({"directory first", grid_file(PixelType::gray8, Compression::none, 1, false)});
    all.back().file.habits.directory_first = true;
    test::Tile several;
    several.rect = {0, 0, 12, 9};
    several.planes[Z] = 3;
    several.paint = test::paint_by(
        [](test::Point const& p) { return static_cast<double>(p.x + 20 * p.y + 60 * p.at[Z]); });
    all.push_back({"several planes", {}});
    all.back().file.tiles = {several};
    return all;
}

struct Planes {
    std::vector<PlaneIndex> at;
    std::vector<Rect> bounds;
    std::vector<std::vector<std::byte>> pixels;
};

// All planes of the finest level and the whole of the coarsest, or an error.
Result<Planes> read_all(std::vector<std::byte> const& bytes, SlideOpenOptions how = {}) {
    SLUICE_TRY(Slide const slide, Slide::open(memory_source("x.czi", bytes), how));
    Planes all;
    ReadOptions options;
    options.threads = 1;
    PlaneIndex const first = slide.first(), counts = slide.counts();
    for (std::int32_t z = 0; z < std::min(4, counts[Z]); ++z)
        for (int level = 0; level < std::ssize(slide.levels()); ++level) {
            Selection region;
            region.plane = first;
            region.plane[Z] += z;
            SLUICE_TRY(Image const image, slide.read(region, level, options));
            all.at.push_back(region.plane);
            all.bounds.push_back(slide.bounds());
            all.pixels.emplace_back(image.pixels.data(), image.pixels.data() + image.shape.bytes());
        }
    if (counts[Z] > 4) return Error{Code::corrupt, "more planes than were written"};
    return all;
}

// The stretches of a file that hold neither pixels, XML nor attachments.
std::vector<std::pair<std::size_t, std::size_t>> heads_of(std::vector<std::byte> const& bytes) {
    std::vector<std::pair<std::size_t, std::size_t>> heads;
    for (std::size_t at = 0; at + 32 <= bytes.size();) {
        std::uint64_t allocated = 0;
        std::memcpy(&allocated, bytes.data() + at + 16, 8);
        bool const directory = std::memcmp(bytes.data() + at, "ZISRAWDIRECTORY", 15) == 0;
        bool const header = std::memcmp(bytes.data() + at, "ZISRAWFILE", 10) == 0;
        std::size_t const head =
            directory || header ? allocated : std::min<std::size_t>(256, allocated);
        heads.emplace_back(at, at + 32 + head);
        at += 32 + allocated;
    }
    return heads;
}

struct Counts {
    index turned = 0, refused = 0, same = 0, wrong = 0;
};

// What looks for damage comes to an end; what it finds is its own.
void look(std::vector<std::byte> const& bytes) {
    for (SlideOpenOptions const& options : {SlideOpenOptions{false, true}, {true, false}}) {
        auto const slide = Slide::open(memory_source("x.czi", bytes), options);
        if (!slide) continue;
        EXPECT_TRUE(slide->check());
        (void)slide->attachments();
        if (auto const xml = slide->xml()) (void)czi::parse_metadata(*xml);
    }
}

void turn(std::vector<std::byte>& bytes, Planes const& truth, std::size_t bit, Counts& counts,
          std::string const& name) {
    std::byte const mask{static_cast<unsigned char>(1U << bit % 8)};
    bytes[bit / 8] ^= mask;
    auto const now = read_all(bytes);
    look(bytes);
    bytes[bit / 8] ^= mask;
    ++counts.turned;
    if (!now) {
        ++counts.refused;
        EXPECT_FALSE(now.error().message.empty());
        return;
    }
    bool const same =
        now->at == truth.at && now->bounds == truth.bounds && now->pixels == truth.pixels;
    ++(same ? counts.same : counts.wrong);
    EXPECT_TRUE(same) << name << ": other pixels without an error, byte " << bit / 8 << " bit "
                      << bit % 8;
}

TEST(Mutation, OfHeadsIsAnErrorOrHarmless) {
    char const* const wish = std::getenv("SLUICE_MUTATIONS");
    bool const every = wish && std::string_view(wish) == "all";
    constexpr int some = 700;
    std::mt19937 random(16);
    for (Sample const& sample : samples()) {
        std::vector<std::byte> bytes = sample.file.bytes();
        auto const truth = read_all(bytes);
        ASSERT_TRUE(truth) << sample.name << truth.error().text();
        std::vector<std::size_t> bits;
        for (auto const& [begin, end] : heads_of(bytes))
            for (std::size_t bit = 8 * begin; bit < 8 * end; ++bit) bits.push_back(bit);
        if (!every) {
            std::shuffle(bits.begin(), bits.end(), random);
            bits.resize(std::min<std::size_t>(bits.size(), some));
        }
        Counts counts;
        for (std::size_t const bit : bits) turn(bytes, *truth, bit, counts, sample.name);
        if (every)
            std::printf("%s: %td bits, %td refused, %td harmless, %td wrong\n", sample.name.c_str(),
                        counts.turned, counts.refused, counts.same, counts.wrong);
        EXPECT_EQ(counts.wrong, 0) << sample.name;
        EXPECT_GT(counts.refused, 0) << sample.name;
        EXPECT_GT(counts.same, 0) << sample.name;
    }
}

// A copy of a file with bytes put in at a place, or taken out.
std::vector<std::byte> shifted(std::vector<std::byte> const& bytes, std::size_t at, index by) {
    auto const place = bytes.begin() + static_cast<std::ptrdiff_t>(at);
    std::vector<std::byte> out(bytes.begin(), place);
    for (index i = 0; i < by; ++i) out.push_back(static_cast<std::byte>(1 + i));
    index const gone = std::min<index>(std::max<index>(0, -by), std::distance(place, bytes.end()));
    out.insert(out.end(), place + gone, bytes.end());
    return out;
}

// The tiles keep their heads, and what they hold is not where it was.
TEST(Mutation, BytesTooManyOrTooFewAreAnErrorOrHarmless) {
    std::mt19937 random(29);
    for (Sample const& sample : samples())
        for (bool const first : {false, true}) {
            test::CziFile file = sample.file;
            file.habits.directory_first = first;
            std::vector<std::byte> const bytes = file.bytes();
            Planes const truth = read_all(bytes).value();
            index refused = 0;
            for (int i = 0; i < 150; ++i) {
                std::size_t const at = 544 + random() % (bytes.size() - 544);
                index const sizes[] = {1, 3, 32, 64, 65, -1, -31, -32, -65};
                index const by = sizes[i % 9];
                std::vector<std::byte> const damaged = shifted(bytes, at, by);
                for (bool const recover : {false, true}) {
                    auto const now = read_all(damaged, {.recover = recover});
                    if (!now) ++refused;
                    // A walk leaves out what it does not find, and says so.
                    if (!now || (recover && now->bounds != truth.bounds)) continue;
                    EXPECT_TRUE(now->pixels == truth.pixels || recover)
                        << sample.name << ": " << by << " bytes at " << at << ", other pixels";
                }
            }
            EXPECT_GT(refused, 0) << sample.name;
        }
}

// Of a tile without compression nothing else could tell; the last one has no neighbour.
TEST(Mutation, PixelsThatMovedInTheirTileAreRefused) {
    test::CziFile file = grid_file(PixelType::gray8, Compression::none, 1, false);
    file.habits.directory_first = true;
    std::vector<std::byte> const bytes = file.bytes();
    Planes const truth = read_all(bytes).value();
    for (auto const& [begin, end] : heads_of(bytes)) {
        if (std::memcmp(bytes.data() + begin, "ZISRAWSUBBLOCK", 14) != 0) continue;
        for (index const by : {1, 32, -1, -32})
            for (bool const recover : {false, true}) {
                auto const now = read_all(shifted(bytes, begin + 600, by), {.recover = recover});
                ASSERT_FALSE(now) << by << " bytes at " << begin + 600 << ", recover " << recover;
            }
        auto const damaged = shifted(bytes, begin + 600, 3);
        std::string const text = read_all(damaged).error().text();
        EXPECT_NE(text.find("where this one ends"), std::string::npos) << text;
        EXPECT_TRUE(read_all(damaged, {.trust_directory = true}) || begin + 2000 < bytes.size());
    }
    // The name of the next segment may be damaged: this one is whole.
    EXPECT_TRUE(truth.pixels == read_all(bytes).value().pixels);
}

}  // namespace
}  // namespace sluice::slide
