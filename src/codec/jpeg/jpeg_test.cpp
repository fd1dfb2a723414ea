// JPEG files that libjpeg wrote: sound ones, cut ones, and kinds that are refused.
// SPDX-License-Identifier: Apache-2.0
#include "codec/jpeg/jpeg.h"

#include <gtest/gtest.h>
#include <jpeglib.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

namespace sluice::codec {
namespace {

constexpr int width = 61, height = 43;

/// A smooth picture whose samples differ, so that swapped colours are seen.
std::vector<unsigned char> picture(int samples) {
    std::vector<unsigned char> p;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            for (int s = 0; s < samples; ++s)
                p.push_back(static_cast<unsigned char>(s == 0 ? 4 * x : s == 1 ? 5 * y : 80 + x));
    return p;
}

using Change = std::function<void(jpeg_compress_struct&)>;

std::vector<std::byte> jpeg(int samples, J_COLOR_SPACE colours, Change const& change = {}) {
    jpeg_compress_struct file{};
    jpeg_error_mgr errors{};
    file.err = jpeg_std_error(&errors);
    jpeg_create_compress(&file);
    unsigned char* memory = nullptr;
    unsigned long size = 0;
    jpeg_mem_dest(&file, &memory, &size);
    file.image_width = width;
    file.image_height = height;
    file.input_components = samples;
    file.in_color_space = colours;
    jpeg_set_defaults(&file);
    jpeg_set_quality(&file, 95, TRUE);
    if (change) change(file);
    auto pixels = picture(samples);
    jpeg_start_compress(&file, TRUE);
    for (std::size_t y = 0; y < height; ++y) {
        unsigned char* row = pixels.data() + y * width * static_cast<std::size_t>(samples);
        jpeg_write_scanlines(&file, &row, 1);
    }
    jpeg_finish_compress(&file);
    jpeg_destroy_compress(&file);
    Bytes const bytes = std::as_bytes(std::span(memory, size));
    std::vector<std::byte> out(bytes.begin(), bytes.end());
    std::free(memory);
    return out;
}

Status decode(std::vector<std::byte> const& file, int samples, std::vector<std::byte>& out) {
    out.assign(static_cast<std::size_t>(width * height * samples), {});
    return jpeg_decode(file, out);
}

int worst_difference(std::vector<std::byte> const& found, int samples) {
    auto const wanted = picture(samples);
    int worst = 0;
    for (std::size_t i = 0; i < wanted.size(); ++i)
        worst = std::max(worst, std::abs(wanted[i] - std::to_integer<int>(found[i])));
    return worst;
}

Code refusal(std::vector<std::byte> const& file) {
    std::vector<std::byte> out;
    auto const status = decode(file, 3, out);
    EXPECT_FALSE(status);
    return status ? Code::io : status.error().code;
}

TEST(Jpeg, GrayAndColourAreReadWithinTheLossOfTheFormat) {
    for (int const samples : {1, 3})
        for (bool const progressive : {false, true}) {
            auto const file = jpeg(samples, samples == 1 ? JCS_GRAYSCALE : JCS_RGB, [&](auto& f) {
                if (progressive) jpeg_simple_progression(&f);
            });
            auto const info = jpeg_inspect(file);
            ASSERT_TRUE(info);
            EXPECT_EQ(info->width, width);
            EXPECT_EQ(info->height, height);
            EXPECT_EQ(info->samples, samples);
            std::vector<std::byte> out;
            ASSERT_TRUE(decode(file, samples, out));
            EXPECT_LE(worst_difference(out, samples), samples == 1 ? 6 : 12);
        }
}

TEST(Jpeg, ColoursStoredAsRgbAreRead) {
    auto const file = jpeg(3, JCS_RGB, [](auto& f) { jpeg_set_colorspace(&f, JCS_RGB); });
    std::vector<std::byte> out;
    ASSERT_TRUE(decode(file, 3, out));
    EXPECT_LE(worst_difference(out, 3), 6);
}

TEST(Jpeg, EveryCutFileIsAnError) {
    auto file = jpeg(3, JCS_RGB);
    while (!file.empty()) {
        file.pop_back();
        ASSERT_EQ(refusal(file), Code::corrupt) << file.size() << " bytes left";
    }
}

TEST(Jpeg, DataThatLibjpegWouldPadAreAnError) {
    auto file = jpeg(3, JCS_RGB);
    // A marker in the middle of the coded data ends them early.
    file[file.size() - 60] = std::byte{0xff};
    file[file.size() - 59] = std::byte{0xd9};
    EXPECT_EQ(refusal(file), Code::corrupt);
}

TEST(Jpeg, ImagesOfAnotherSizeAreNotDecoded) {
    auto const file = jpeg(3, JCS_RGB);
    for (std::size_t const size : {0, 1, width * height, width * height * 3 + 1}) {
        std::vector<std::byte> out(size);
        auto const status = jpeg_decode(file, out);
        ASSERT_FALSE(status);
        EXPECT_NE(status.error().message.find("61 x 43 x 3"), std::string::npos);
    }
}

TEST(Jpeg, OtherKindsAreUnsupported) {
    EXPECT_EQ(refusal(jpeg(4, JCS_CMYK)), Code::unsupported);
    EXPECT_EQ(refusal(jpeg(3, JCS_RGB, [](auto& f) { f.arith_code = TRUE; })), Code::unsupported);
    auto file = jpeg(3, JCS_RGB);
    auto const frame = std::find(file.begin(), file.end(), std::byte{0xc0});
    ASSERT_NE(frame, file.end());
    frame[3] = std::byte{12};
    EXPECT_EQ(refusal(file), Code::unsupported) << "12 bits";
    frame[3] = std::byte{8};
    frame[0] = std::byte{0xc3};
    EXPECT_EQ(refusal(file), Code::unsupported) << "lossless";
}

TEST(Jpeg, AFileOfManyScansIsRefused) {
    // One scan per coefficient is valid, and costs a pass over the image each.
    std::vector<jpeg_scan_info> scans = {{3, {0, 1, 2}, 0, 0, 0, 0}};
    for (int const component : {0, 1})
        for (int k = 1; k < 64; ++k) scans.push_back({1, {component}, k, k, 0, 0});
    auto const file = jpeg(3, JCS_RGB, [&](auto& f) {
        f.scan_info = scans.data();
        f.num_scans = static_cast<int>(scans.size());
    });
    std::vector<std::byte> out;
    auto const status = decode(file, 3, out);
    ASSERT_FALSE(status);
    EXPECT_NE(status.error().message.find("more scans"), std::string::npos);
}

TEST(Jpeg, BytesThatAreNoJpegAreAnError) {
    std::vector<std::byte> const text(100, std::byte{'x'});
    EXPECT_FALSE(jpeg_inspect(text));
    EXPECT_FALSE(jpeg_inspect({}));
}

}  // namespace
}  // namespace sluice::codec
