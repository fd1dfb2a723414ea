// Slides made for the tests of conversion, and outputs read back element by element.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "czi_writer/grid.h"
#include "czi_writer/pixels.h"
#include "sluice/convert.h"
#include "zarr/array.h"

namespace sluice::slide {

namespace fs = std::filesystem;
using slide::PixelType;

/// Gives each test a folder of its own.
class SlideConvert : public testing::Test {
  protected:
    void SetUp() override {
        auto const* test = testing::UnitTest::GetInstance()->current_test_info();
        // Thousands of small files: seconds on a disk, and nothing in memory.
        fs::path const memory = "/dev/shm";
        folder_ = (fs::exists(memory) ? memory : fs::path(testing::TempDir())) /
                  (std::string("sluice_convert_") + test->name() + std::to_string(::getpid()));
        fs::remove_all(folder_);
        fs::create_directories(folder_);
    }
    void TearDown() override { fs::remove_all(folder_); }
    std::string file(std::string const& name) const { return folder_ / name; }

    fs::path folder_;
};

inline Slide open(test::CziFile const& file) {
    return Slide::open(memory_source("test.czi", file.bytes())).value();
}

/// Values from which the place can be told; the slices and channels differ.
inline double value_at(test::Point const& p) {
    return static_cast<double>(p.x * 7 + p.y * 131 + p.sample * 1000 + p.at[C] * 5000 +
                               p.at[Z] * 300 + p.at[slide::T] * 17);
}

/// 150 x 101 pixels whose corner is at (-20, 30).
inline test::Grid small_grid(PixelType type) {
    test::Grid g;
    g.area = {-20, 30, 150, 101};
    g.tile_width = 60, g.tile_height = 50, g.overlap = 6;
    g.like.pixel_type = type;
    g.like.paint = test::paint_by(value_at);
    return g;
}

/// `depth` slices at as many times.
inline test::CziFile small_slide(PixelType type = PixelType::gray16, int channels = 2,
                                 int depth = 2) {
    test::Grid g = small_grid(type);
    g.channels = channels, g.slices = depth, g.times = depth;
    test::CziFile f;
    f.tiles = test::mosaic(g);
    f.metadata.x_um = 0.5, f.metadata.y_um = 0.25, f.metadata.z_um = 2, f.metadata.t_s = 3;
    return f;
}

inline ConvertOptions small_options() {
    ConvertOptions o;
    o.chunk = 32;
    o.min_size = 20;
    o.threads = 2;
    return o;
}

/// All of a level as [t][c][z][y][x].
template <class T>
std::vector<T> read_level(std::string const& path, zarr::Spec* spec = nullptr) {
    auto const array = zarr::Array::open(path).value();
    auto const& s = array.spec().shape;
    auto const& chunk = array.spec().chunk;
    if (spec) *spec = array.spec();
    std::vector<T> out(static_cast<std::size_t>(s[0] * s[1] * s[2] * s[3] * s[4]));
    std::vector<T> part(static_cast<std::size_t>(chunk[3] * chunk[4]));
    zarr::ChunkScratch scratch;
    for (index p = 0; p < s[0] * s[1] * s[2]; ++p)
        for (index y = 0; y < s[3]; y += chunk[3])
            for (index x = 0; x < s[4]; x += chunk[4]) {
                std::vector<index> const at{p / s[2] / s[1], p / s[2] % s[1], p % s[2],
                                            y / chunk[3], x / chunk[4]};
                array.read_chunk(at, std::as_writable_bytes(std::span(part)), scratch).value();
                for (index r = 0; r < std::min(chunk[3], s[3] - y); ++r)
                    std::copy_n(part.begin() + r * chunk[4], std::min(chunk[4], s[4] - x),
                                out.begin() + (p * s[3] + y + r) * s[4] + x);
            }
    return out;
}

/// The next level, pixel by pixel: the plain words of the manual.
template <class T>
std::vector<T> halved(std::vector<T> const& in, std::vector<index> const& s) {
    index const h = (s[3] + 1) / 2, w = (s[4] + 1) / 2;
    std::vector<T> out;
    for (index p = 0; p < s[0] * s[1] * s[2]; ++p)
        for (index y = 0; y < h; ++y)
            for (index x = 0; x < w; ++x) {
                double sum = 0;
                int n = 0;
                for (index b = 2 * y; b < std::min(2 * y + 2, s[3]); ++b)
                    for (index a = 2 * x; a < std::min(2 * x + 2, s[4]); ++a, ++n)
                        sum += static_cast<double>(
                            in[static_cast<std::size_t>((p * s[3] + b) * s[4] + a)]);
                double const mean = sum / n;
                out.push_back(
                    static_cast<T>(std::is_integral_v<T> ? std::floor(mean + 0.5) : mean));
            }
    return out;
}

template <class T>
void expect_pyramid(std::string const& image, int levels) {
    zarr::Spec spec;
    std::vector<T> above = read_level<T>(image + "/0", &spec);
    for (int l = 1; l < levels; ++l) {
        std::vector<T> const wanted = halved(above, spec.shape);
        above = read_level<T>(image + "/" + std::to_string(l), &spec);
        ASSERT_EQ(above, wanted) << "level " << l;
    }
    EXPECT_FALSE(fs::exists(image + "/" + std::to_string(levels)));
}

/// What the painter gave, for an image of small_slide().
template <class T>
void expect_painted(std::vector<T> const& got, std::vector<index> const& s, index samples) {
    std::size_t i = 0;
    for (index t = 0; t < s[0]; ++t)
        for (index c = 0; c < s[1]; ++c)
            for (index z = 0; z < s[2]; ++z)
                for (index y = 0; y < s[3]; ++y)
                    for (index x = 0; x < s[4]; ++x, ++i) {
                        test::Point p{x - 20, y + 30, c % samples};
                        p.at[C] = static_cast<std::int32_t>(c / samples);
                        p.at[Z] = static_cast<std::int32_t>(z);
                        p.at[slide::T] = static_cast<std::int32_t>(t);
                        auto const v = static_cast<T>(static_cast<std::int64_t>(value_at(p)));
                        ASSERT_EQ(got[i], v) << t << c << z << " y " << y << " x " << x;
                    }
}

/// Paths and contents of all files below a folder.
inline std::vector<std::pair<std::string, std::string>> files_of(fs::path const& folder) {
    std::vector<std::pair<std::string, std::string>> out;
    for (auto const& e : fs::recursive_directory_iterator(folder)) {
        if (!e.is_regular_file()) continue;
        std::ifstream in(e.path(), std::ios::binary);
        out.emplace_back(fs::relative(e.path(), folder),
                         std::string(std::istreambuf_iterator<char>(in), {}));
    }
    std::sort(out.begin(), out.end());
    return out;
}

inline test::CziFile three_scenes() {
    test::CziFile f;
    for (std::int32_t s = 0; s < 3; ++s) {
        test::Grid g = small_grid(PixelType::gray8);
        g.area = {s * 200, s * 10, 70 + s, 60};
        g.like.scene = s;
        for (test::Tile const& t : test::mosaic(g)) f.tiles.push_back(t);
        f.metadata.scenes.push_back({s, "scene " + std::to_string(s), "", 0, 0});
    }
    f.metadata.x_um = 0.5, f.metadata.y_um = 0.25;
    return f;
}

/// Cancels when `stop` of the bytes are done.
inline ConvertOptions stopping(ConvertOptions o, double stop) {
    o.progress = [stop](std::uint64_t done, std::uint64_t total) {
        return static_cast<double>(done) < stop * static_cast<double>(total);
    };
    return o;
}

}  // namespace sluice::slide
