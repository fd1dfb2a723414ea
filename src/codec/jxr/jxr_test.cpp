// What jxr_decode makes of the files of libjxr, bit for bit, and of files it cannot read.
// SPDX-License-Identifier: Apache-2.0
#include "codec/jxr/jxr.h"

#include <gtest/gtest.h>

#include <thread>

#include "codec/jxr/decode_with.h"
#include "codec/jxr/test_images.h"
#include "jxrlib/jxrlib.h"

namespace sluice::codec {
namespace {

using jxrlib::Chroma;
using jxrlib::Pixels;
using jxrlib::Settings;
using jxrtest::Kind;
using jxrtest::Picture;

struct Named {
    Pixels as;
    char const* name;
};
constexpr Named formats[] = {
    {Pixels::gray8, "gray8"},
    {Pixels::gray16, "gray16"},
    {Pixels::gray_half, "gray_half"},
    {Pixels::gray_float, "gray_float"},
    {Pixels::bgr24, "bgr24"},
    {Pixels::rgb24, "rgb24"},
    {Pixels::rgb48, "rgb48"},
    {Pixels::rgb_half48, "rgb_half48"},
    {Pixels::rgb_float96, "rgb_float96"},
    {Pixels::bgra32, "bgra32"},
    {Pixels::rgba32, "rgba32"},
    {Pixels::rgba64, "rgba64"},
    {Pixels::rgba_float128, "rgba_float128"},
};

std::string text(Settings const& s) {
    return "quality " + std::to_string(s.quality) + " overlap " + std::to_string(s.overlap) +
           " chroma " + std::to_string(static_cast<int>(s.chroma)) +
           (s.frequency ? " frequency" : " spatial") + " tiles " + std::to_string(s.tiles_across) +
           " x " + std::to_string(s.tiles_down) + (s.hard_tiles ? " hard" : "") + " trim " +
           std::to_string(s.trim_flexbits) + " subband " + std::to_string(s.subband) +
           (s.unscaled ? " unscaled" : "") + (s.interleaved_alpha ? " interleaved" : "");
}

/// Decodes in the file's own order of samples, as libjxr does.
std::vector<std::byte> decode(Bytes file, int reduction = 1) {
    auto const info = jxr_inspect(file);
    if (!info) {
        ADD_FAILURE() << info.error().message;
        return {};
    }
    index const side[2] = {(info->width + reduction - 1) / reduction,
                           (info->height + reduction - 1) / reduction};
    std::vector<std::byte> out(
        static_cast<std::size_t>(side[0] * side[1] * info->samples * size_of(info->sample)));
    auto const done = jxr_decode(file, {reduction, !info->bgr}, out);
    EXPECT_TRUE(done) << (done ? "" : done.error().message);
    return out;
}

// Returns whether there was something to compare: libjxr does not write every combination.
bool agrees(Picture const& picture, Settings const& settings) {
    auto const file =
        jxrlib::encode(picture.pixels, picture.width, picture.height, picture.as, settings);
    if (!file) return false;
    auto const expected = jxrlib::decode(*file);
    if (!expected) return false;
    EXPECT_TRUE(*expected == decode(*file))
        << picture.width << " x " << picture.height << " " << text(settings);
    return true;
}

class EveryFormat : public testing::TestWithParam<Named> {};

TEST_P(EveryFormat, IsDecodedAsByLibjxr) {
    constexpr index sizes[][2] = {{1, 1},   {15, 17}, {16, 16},  {17, 1},
                                  {64, 64}, {33, 48}, {131, 70}, {333, 257}};
    constexpr double qualities[] = {1.0, 0.9, 0.5, 0.2};
    int number = 0, compared = 0;
    for (auto const& size : sizes)
        for (double const quality : qualities)
            for (Kind const kind : {Kind::noise, Kind::gradient, Kind::texture, Kind::flat}) {
                Settings settings;
                settings.quality = quality;
                settings.frequency = number % 2 == 0;
                settings.overlap = number % 5 - 2 < 0 ? -1 : number % 5 - 2;
                settings.tiles_across = 1 + number / 3 % 3;
                settings.tiles_down = 1 + number / 7 % 3;
                ++number;
                compared += agrees(Picture(GetParam().as, size[0], size[1], kind), settings);
            }
    EXPECT_GT(compared, number * 3 / 4);
}

INSTANTIATE_TEST_SUITE_P(Jxr, EveryFormat, testing::ValuesIn(formats),
                         [](auto const& info) { return std::string(info.param.name); });

TEST(Jxr, EveryOverlapSubsamplingOrderAndTiling) {
    int compared = 0;
    for (Pixels const as : {Pixels::bgr24, Pixels::rgb48})
        for (int const overlap : {0, 1, 2})
            for (Chroma const chroma :
                 {Chroma::full, Chroma::half_width, Chroma::quarter, Chroma::none})
                for (bool const frequency : {false, true})
                    for (int const tiles : {1, 3})
                        for (bool const hard : {false, true}) {
                            Settings settings;
                            settings.quality = 20;
                            settings.overlap = overlap;
                            settings.chroma = chroma;
                            settings.frequency = frequency;
                            settings.tiles_across = settings.tiles_down = tiles;
                            // libjxr takes rows for columns where filters end at tiles: these
                            // files are the same either way.
                            settings.hard_tiles = hard;
                            compared += agrees(Picture(as, 150, 150, Kind::texture), settings);
                        }
    EXPECT_EQ(compared, 192);
}

TEST(Jxr, BandsThatWereLeftOutAndTrimmedBits) {
    int compared = 0;
    for (Pixels const as : {Pixels::gray8, Pixels::bgr24, Pixels::gray16})
        for (int subband = 0; subband < 4; ++subband)
            for (int const trim : {0, 1, 3, 6})
                for (bool const frequency : {false, true})
                    for (bool const unscaled : {false, true}) {
                        Settings settings;
                        settings.subband = subband;
                        settings.trim_flexbits = trim;
                        settings.frequency = frequency;
                        settings.unscaled = unscaled;
                        compared += agrees(Picture(as, 70, 90, Kind::noise), settings);
                    }
    EXPECT_EQ(compared, 192);
}

TEST(Jxr, AlphaBesideAndAmongTheColours) {
    int compared = 0;
    for (Pixels const as : {Pixels::bgra32, Pixels::rgba32, Pixels::rgba64})
        for (bool const interleaved : {false, true})
            for (Chroma const chroma : {Chroma::full, Chroma::half_width, Chroma::quarter})
                for (double const quality : {1.0, 30.0})
                    for (bool const frequency : {false, true}) {
                        // libjxr stops the program on files of both kinds of arithmetic.
                        if (interleaved && quality == 1 && chroma != Chroma::full) continue;
                        Settings settings;
                        settings.interleaved_alpha = interleaved;
                        settings.chroma = chroma;
                        settings.quality = quality;
                        settings.frequency = frequency;
                        settings.alpha_quantiser = quality > 1 ? 20 : 1;
                        compared += agrees(Picture(as, 100, 70, Kind::texture), settings);
                    }
    EXPECT_EQ(compared, 60);
}

TEST(Jxr, FloatsOfAnyMantissa) {
    for (int const bits : {5, 10, 13, 16}) {
        Settings settings;
        settings.float_mantissa_bits = bits;
        EXPECT_TRUE(agrees(Picture(Pixels::gray_float, 65, 40, Kind::texture), settings));
    }
}

TEST(Jxr, ColoursComeInTheOrderThatIsAskedFor) {
    Picture const picture(Pixels::bgr24, 40, 30, Kind::noise);
    auto const file = jxrlib::encode(picture.pixels, 40, 30, Pixels::bgr24);
    ASSERT_TRUE(file);
    std::vector<std::byte> rgb(picture.pixels.size()), bgr(rgb.size());
    ASSERT_TRUE(jxr_decode(*file, {1, true}, rgb));
    ASSERT_TRUE(jxr_decode(*file, {1, false}, bgr));
    EXPECT_EQ(bgr, picture.pixels);
    for (std::size_t i = 0; i < rgb.size(); i += 3) std::swap(rgb[i], rgb[i + 2]);
    EXPECT_EQ(rgb, bgr);
}

TEST(Jxr, InspectTellsWhatIsThere) {
    auto const file =
        jxrlib::encode(Picture(Pixels::bgra32, 41, 30, Kind::flat).pixels, 41, 30, Pixels::bgra32);
    ASSERT_TRUE(file);
    auto const info = jxr_inspect(*file);
    ASSERT_TRUE(info);
    EXPECT_EQ(info->width, 41);
    EXPECT_EQ(info->height, 30);
    EXPECT_EQ(info->samples, 4);
    EXPECT_EQ(info->sample, DType::u8);
    EXPECT_TRUE(info->bgr);
    EXPECT_TRUE(info->alpha);
}

TEST(Jxr, ReducedImagesAreThoseOfLibjxr) {
    for (Named const& format : formats)
        for (int const reduction : {4, 16})
            for (int const overlap : {0, 1, 2})
                for (double const quality : {1.0, 0.5})
                    for (bool const frequency : {false, true}) {
                        Settings settings;
                        settings.overlap = overlap;
                        settings.quality = quality;
                        settings.frequency = frequency;
                        Picture const picture(format.as, 150, 90, Kind::texture);
                        auto const file =
                            jxrlib::encode(picture.pixels, 150, 90, format.as, settings);
                        ASSERT_TRUE(file);
                        auto const expected = jxrlib::decode(*file, reduction);
                        ASSERT_TRUE(expected);
                        EXPECT_TRUE(*expected == decode(*file, reduction))
                            << format.name << " 1/" << reduction << " " << text(settings);
                    }
}

// Of four columns libjxr has one wrong: it takes the mean with a column of the same macroblock and
// not with the first of the next.
TEST(Jxr, ReducedImagesOfSubsampledChroma) {
    for (Chroma const chroma : {Chroma::half_width, Chroma::quarter})
        for (int const reduction : {4, 16}) {
            Settings settings;
            settings.chroma = chroma;
            settings.quality = 10;
            Picture const picture(Pixels::rgb24, 160, 96, Kind::texture);
            auto const file = jxrlib::encode(picture.pixels, 160, 96, Pixels::rgb24, settings);
            ASSERT_TRUE(file);
            auto const expected = jxrlib::decode(*file, reduction);
            ASSERT_TRUE(expected);
            auto const found = decode(*file, reduction);
            ASSERT_EQ(found.size(), expected->size());
            std::size_t const row = 3 * 160 / static_cast<std::size_t>(reduction);
            for (std::size_t i = 0; i < found.size(); ++i)
                if (reduction == 16 || i % row / 3 % 4 != 3) {
                    ASSERT_EQ(found[i], (*expected)[i]) << "byte " << i << " 1/" << reduction;
                }
        }
}

TEST(Jxr, SeveralThreadsDecodeAtOnce) {
    Picture const picture(Pixels::bgr24, 150, 90, Kind::texture);
    auto const file = jxrlib::encode(picture.pixels, 150, 90, Pixels::bgr24);
    ASSERT_TRUE(file);
    std::vector<std::vector<std::byte>> out(4, std::vector<std::byte>(picture.pixels.size()));
    std::vector<std::thread> threads;
    for (auto& mine : out)
        threads.emplace_back([&] {
            for (int i = 0; i < 20; ++i) (void)jxr_decode(*file, {1, false}, mine);
        });
    for (auto& thread : threads) thread.join();
    for (auto const& mine : out) EXPECT_TRUE(mine == picture.pixels);
}

TEST(Jxr, EveryInstructionSetDecodesTheSame) {
    for (Named const& format : formats)
        for (double const quality : {1.0, 0.3}) {
            Settings settings;
            settings.quality = quality;
            Picture const picture(format.as, 150, 90, Kind::texture);
            auto const file = jxrlib::encode(picture.pixels, 150, 90, format.as, settings);
            ASSERT_TRUE(file);
            auto const expected = jxrlib::decode(*file);
            ASSERT_TRUE(expected);
            auto const info = jxr_inspect(*file);
            ASSERT_TRUE(info);
            for (Isa const isa : compiled_isas()) {
                if (!runs_here(isa)) continue;
                std::vector<std::byte> out(expected->size());
                ASSERT_TRUE(jxr::decode_with(jxr::kernels(isa), *file, {1, !info->bgr}, out));
                EXPECT_TRUE(out == *expected) << format.name << " " << name_of(isa);
            }
        }
}

}  // namespace
}  // namespace sluice::codec
