// Scans that other programs wrote (tests/data/scans): all have the same values.
// SPDX-License-Identifier: Apache-2.0
#include "format/raw/test_flat.h"
#include "test_data.h"

namespace sluice {
namespace {

struct Written {
    char const *file, *format;
    bool bytes = false, tells_scan = true;
};
constexpr Written all[] = {{"stack.tif", "tiff"},     {"imagej.tif", "tiff"},
                           {"scan.blo", "blo", true}, {"scan_000.tvips", "tvips", false, false},
                           {"counted.h5", "stempy"},  {"stack.mrc", "mrc", false, false},
                           {"scan.zarr.zip", "zarr"}};

// Pixel p of pattern f; of counted electrons its sixteenth part.
unsigned value(std::size_t i, bool counted) {
    auto const v = static_cast<unsigned>((7 * (i / 64) + i % 64) % 50);
    return counted ? v / 16 : v;
}

TEST(RealScans, HaveTheValuesThatWereWritten) {
    for (Written const& w : all) {
        OpenOptions options;
        if (!w.tells_scan) options.scan_shape = {{3, 4}};
        auto const d = open(std::string(SLUICE_TEST_DATA "/scans/") + w.file, options);
        ASSERT_TRUE(d) << d.error().text();
        EXPECT_EQ(d->format, w.format);
        EXPECT_EQ(d->scan, (std::array<index, 2>{3, 4}));
        EXPECT_EQ(d->rows, 8);
        EXPECT_EQ(d->dtype, w.bytes ? DType::u8 : DType::u16);
        std::vector<unsigned> v;
        if (w.bytes)
            for (auto const n : values_of<std::uint8_t>(*d, 5)) v.push_back(n);
        else
            for (auto const n : values_of<std::uint16_t>(*d, 5)) v.push_back(n);
        ASSERT_EQ(v.size(), 768u);
        for (std::size_t i = 0; i < v.size(); ++i)
            ASSERT_EQ(v[i], value(i, d->format == "stempy")) << w.file << ' ' << i;
    }
}

}  // namespace
}  // namespace sluice
