// Files that are wrong in some way: an error that says how, and never a crash.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "base/bytes.h"
#include "base/hash.h"
#include "codec/jxr/jxr.h"
#include "codec/jxr/test_images.h"
#include "jxrlib/jxrlib.h"
#include "test_data.h"

namespace sluice::codec {
namespace {

using jxrlib::Pixels;
using jxrlib::Settings;
using jxrtest::Kind;
using jxrtest::Picture;

std::vector<std::byte> file_of(Pixels as, Settings const& settings = {}, index width = 100,
                               index height = 70, Kind kind = Kind::texture) {
    Picture const picture(as, width, height, kind);
    auto const file = jxrlib::encode(picture.pixels, width, height, as, settings);
    EXPECT_TRUE(file);
    return file.value_or(std::vector<std::byte>());
}

// Where the value of a tag of the container is.
std::byte* tag(std::vector<std::byte>& file, int number) {
    index const at = load_le<std::uint32_t>(file.data() + 4);
    int const count = load_le<std::uint16_t>(file.data() + at);
    for (int i = 0; i < count; ++i) {
        std::byte* const entry = file.data() + at + 2 + 12 * i;
        if (load_le<std::uint16_t>(entry) == number) return entry + 8;
    }
    ADD_FAILURE() << "no tag " << number;
    return file.data();
}

std::size_t image_of(std::vector<std::byte>& file) {
    return load_le<std::uint32_t>(tag(file, 0xbcc0));
}

Error error_of(std::vector<std::byte> const& file, index width = 100, index height = 70,
               index pixel = 3) {
    std::vector<std::byte> out(static_cast<std::size_t>(width * height * pixel));
    auto const done = jxr_decode(file, {}, out);
    EXPECT_FALSE(done);
    return done ? Error{} : done.error();
}

TEST(JxrDamage, FormatsThatAreNotReadAreNamed) {
    auto bits = file_of(Pixels::gray8);
    bits[load_le<std::uint32_t>(tag(bits, 0xbc01)) + 15] = std::byte{5};
    auto const info = jxr_inspect(bits);
    ASSERT_FALSE(info);
    EXPECT_EQ(info.error().code, Code::unsupported);
    EXPECT_NE(info.error().message.find("BlackWhite"), std::string::npos);
    auto const cmyk = jxr_inspect(file_of(Pixels::cmyk32));
    ASSERT_FALSE(cmyk);
    EXPECT_NE(cmyk.error().message.find("32bppCMYK"), std::string::npos);
    auto file = file_of(Pixels::bgr24);
    file[image_of(file) + 8] = std::byte{0x10};
    EXPECT_EQ(error_of(file).code, Code::unsupported);
    EXPECT_NE(error_of(file).message.find("HD Photo"), std::string::npos);
    file = file_of(Pixels::bgr24);
    tag(file, 0xbc02)[0] = std::byte{3};
    EXPECT_EQ(error_of(file).code, Code::unsupported);
}

TEST(JxrDamage, OtherFilesAreNotJpegXr) {
    EXPECT_EQ(error_of({}).code, Code::corrupt);
    EXPECT_EQ(error_of(std::vector<std::byte>(1000)).code, Code::corrupt);
    auto file = file_of(Pixels::bgr24);
    file[image_of(file)] = std::byte{0};
    EXPECT_EQ(error_of(file).code, Code::corrupt);
}

TEST(JxrDamage, TheOutputMustFitTheImage) {
    auto const file = file_of(Pixels::bgr24);
    EXPECT_EQ(error_of(file, 100, 71).code, Code::invalid_argument);
    EXPECT_EQ(error_of(file, 100, 70, 4).code, Code::invalid_argument);
    EXPECT_EQ(error_of(file, 0, 0).code, Code::invalid_argument);
    std::vector<std::byte> out(100 * 70 * 3);
    EXPECT_FALSE(jxr_decode(file, {2, true}, out));
    EXPECT_FALSE(jxr_decode(file, {0, true}, out));
}

// A header may claim any size: it is compared with the output before memory is asked for.
TEST(JxrDamage, AHugeImageIsRefusedAtOnce) {
    auto file = file_of(Pixels::gray8);
    std::byte* const header = file.data() + image_of(file);
    header[10] &= std::byte{0x7f};  // sizes of 32 bits
    std::fill_n(header + 12, 8, std::byte{0xff});
    auto const error = error_of(file, 100, 70, 1);
    EXPECT_EQ(error.code, Code::invalid_argument);
    EXPECT_NE(error.message.find("4294967296 x 4294967296"), std::string::npos) << error.message;
}

TEST(JxrDamage, EveryShorterFileIsAnError) {
    for (bool const frequency : {false, true}) {
        Settings settings;
        settings.frequency = frequency;
        auto const file = file_of(Pixels::bgr24, settings, 64, 64, Kind::noise);
        std::vector<std::byte> out(64 * 64 * 3);
        for (std::size_t size = 0; size + 16 < file.size(); size += 1 + file.size() / 200) {
            auto const done = jxr_decode(Bytes(file).first(size), {}, out);
            ASSERT_FALSE(done) << size << " of " << file.size();
            EXPECT_TRUE(done.error().code == Code::truncated || done.error().code == Code::corrupt);
        }
    }
}

/// Bytes and bits changed here and there; the same in every run.
class Damage {
  public:
    std::vector<std::byte> to(std::vector<std::byte> file) {
        for (unsigned n = 1 + random_() % 4; n > 0; --n) {
            std::size_t const at = random_() % file.size();
            switch (random_() % 4) {
                case 0:
                    file[at] = static_cast<std::byte>(random_());
                    break;
                case 1:
                    file[at] ^= static_cast<std::byte>(1U << random_() % 8);
                    break;
                case 2:
                    file[at] = std::byte{0xff};
                    break;
                default:
                    // Headers and indices are small, and so seldom hit.
                    file[random_() % std::min<std::size_t>(file.size(), 350)] =
                        static_cast<std::byte>(random_());
            }
        }
        return file;
    }

  private:
    std::mt19937 random_{7};
};

// Most of these decode to some picture, as coefficients carry no checksum. Under sanitizers the
// test shows that nothing outside the input is read, and nothing outside of the output written.
TEST(JxrDamage, ThreeThousandDamagedFiles) {
    std::vector<std::vector<std::byte>> files;
    std::vector<std::size_t> sizes;
    for (Pixels const as : {Pixels::gray8, Pixels::gray16, Pixels::bgr24, Pixels::rgb48,
                            Pixels::bgra32, Pixels::gray_float})
        for (double const quality : {1.0, 0.5, 0.2}) {
            Settings settings;
            settings.quality = quality;
            settings.frequency = quality == 0.5;
            settings.tiles_across = quality == 0.2 ? 2 : 1;
            settings.interleaved_alpha = as == Pixels::bgra32 && quality == 0.2;
            files.push_back(file_of(as, settings, 75, 50, Kind::noise));
            sizes.push_back(static_cast<std::size_t>(75 * 50 * jxrlib::bytes_per_pixel(as)));
        }
    Damage damage;
    int failed = 0;
    for (std::size_t i = 0; i < 3000; ++i) {
        std::size_t const which = i % files.size();
        auto const file = damage.to(files[which]);
        int const reduction = i % 7 == 0 ? 4 : i % 11 == 0 ? 16 : 1;
        std::size_t const size =
            reduction == 1 ? sizes[which]
                           : sizes[which] / (75 * 50) *
                                 static_cast<std::size_t>((75 + reduction - 1) / reduction *
                                                          ((50 + reduction - 1) / reduction));
        constexpr std::size_t guard = 64;
        std::vector<std::byte> out(size + 2 * guard, std::byte{0xa5});
        auto const done = jxr_decode(file, {reduction, true}, std::span(out).subspan(guard, size));
        failed += !done;
        EXPECT_TRUE(done || !done.error().message.empty());
        for (std::size_t g = 0; g < guard; ++g) {
            ASSERT_EQ(out[g], std::byte{0xa5});
            ASSERT_EQ(out[guard + size + g], std::byte{0xa5});
        }
    }
    EXPECT_GT(failed, 300);
}

std::uint64_t checksum(Bytes bytes) {
    Fnv1a sum;
    sum.update(bytes);
    return sum.digest();
}

struct Known {
    char const* name;
    std::size_t size;
    std::uint64_t sum;  ///< of what libjxr decodes
};

// These remain when libjxr is not there to compare with.
TEST(JxrKnown, FilesDecodeToTheirChecksums) {
    constexpr Known known[] = {
        {"gray8_lossless.jxr", 1395, 0x7c606c67ac190875},
        {"gray16_lossless.jxr", 1320, 0x13f3bc406c04c4c5},
        {"gray16_lossy.jxr", 6144, 0x4d642559ddc17978},
        {"gray_float.jxr", 4800, 0xef7f60f4c20ea886},
        {"bgr24_lossless.jxr", 5550, 0x55e1e0cc0f2360d7},
        {"bgr24_422_overlap2.jxr", 10500, 0x6dd880549493d9d2},
        {"bgr24_420_overlap2.jxr", 18900, 0x44a0e787332503b8},
        {"rgb48_lossy.jxr", 9216, 0x648f16f61ba0f46d},
        {"bgra32.jxr", 3500, 0xd8d8a1df9cebe71f},
        {"rgba32_interleaved.jxr", 6400, 0x5c85ad5538ce27f3},
    };
    for (Known const& k : known) {
        std::ifstream in(std::string(SLUICE_TEST_DATA) + "/jxr/" + k.name, std::ios::binary);
        std::vector<char> const text{std::istreambuf_iterator<char>(in), {}};
        ASSERT_FALSE(text.empty()) << k.name;
        Bytes const file = std::as_bytes(std::span(text));
        auto const info = jxr_inspect(file);
        ASSERT_TRUE(info) << k.name;
        std::vector<std::byte> out(k.size);
        ASSERT_TRUE(jxr_decode(file, {1, !info->bgr}, out)) << k.name;
        EXPECT_EQ(checksum(out), k.sum) << k.name;
    }
}

}  // namespace
}  // namespace sluice::codec
