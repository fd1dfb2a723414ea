// Rectangles of pixels, copied past the caches and through them.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/pixels.h"

#include <gtest/gtest.h>

#include <random>

namespace sluice::slide {
namespace {

struct Case {
    PixelType type;
    bool hi_lo = false;
    index apart = 1;  ///< pixels from one to the next
};

Pixels pixels_of(Case const& c, std::vector<std::byte> const& bytes, index width, index height) {
    Pixels p;
    p.bytes = bytes;
    p.format = format_of(c.type);
    p.width = width;
    p.height = height;
    p.bgr = p.format.samples > 1;
    p.hi_lo = c.hi_lo;
    p.pixel_stride = p.format.bytes * c.apart;
    p.row_stride = width * p.pixel_stride;
    return p;
}

TEST(CopyRect, PastTheCachesIsTheSame) {
    constexpr index width = 1200, height = 3, margin = 5;
    std::mt19937 random(1);
    std::vector<std::byte> bytes(static_cast<std::size_t>(width * height * 24 * 2));
    for (std::byte& b : bytes) b = static_cast<std::byte>(random());
    for (Case const& c :
         {Case{PixelType::gray8}, Case{PixelType::gray16}, Case{PixelType::gray16, true},
          Case{PixelType::bgr24}, Case{PixelType::bgr48}, Case{PixelType::bgr48, true},
          Case{PixelType::bgra32}, Case{PixelType::bgr192_complex},
          Case{PixelType::gray16, false, 2}, Case{PixelType::bgr24, false, 2}}) {
        Pixels p = pixels_of(c, bytes, width, height);
        if (c.hi_lo)
            p.bytes = p.bytes.first(static_cast<std::size_t>(width * height * p.format.bytes));
        // The last two go on beyond what is there.
        for (Rect const& rect : {Rect{0, 0, width, height}, Rect{7, 1, 1100, 2}, Rect{3, 0, 5, 1},
                                 Rect{1000, 0, 300, 2}, Rect{0, 1, width, 4}}) {
            index const stride = rect.width * p.format.bytes + margin;
            std::vector<std::byte> plain(static_cast<std::size_t>(rect.height * stride + 64)), past;
            past = plain;
            copy_rect(p, rect, plain.data() + margin, stride);
            copy_rect(p, rect, past.data() + margin, stride, true);
            EXPECT_EQ(plain, past) << name_of(c.type) << c.hi_lo << c.apart << ' ' << rect.width;
        }
    }
}

}  // namespace
}  // namespace sluice::slide
