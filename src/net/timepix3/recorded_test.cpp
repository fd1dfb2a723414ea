// What a readout sends is a file, too: both make the same frames of it.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "format/decode_frame.h"
#include "net/timepix3/wire.h"
#include "sluice/memory_dataset.h"

namespace sluice::net::timepix3 {
namespace {

constexpr index rows = 40, cols = 300;

std::vector<std::uint8_t> counts_of_scan(index frames) {
    std::vector<std::uint8_t> counts(static_cast<std::size_t>(frames * rows * cols));
    for (std::size_t i = 0; i < counts.size(); ++i)
        counts[i] = static_cast<std::uint8_t>(i * i % 13 == 3 ? i % 7 : 0);
    return counts;
}

void sent_as_file(std::string const& path, Dataset const& d, SimulatorOptions const& o,
                  std::string const& layout) {
    auto const from = wire("tcp://127.0.0.1:*", d, o, {layout}).value();
    std::ofstream out(path, std::ios::binary);
    auto const write = [&](Packet const& p) {
        for (auto const& part : p.parts)
            out.write(reinterpret_cast<char const*>(part->data()),
                      static_cast<std::streamsize>(part->size()));
    };
    index const per_line = d.scan[1] + o.flyback;
    write(from->start(0, d.scan[0] * per_line));
    for (index image = 0; image < d.scan[0] * per_line; ++image) {
        index const col = image % per_line;
        index const frame = image / per_line * d.scan[1] + col;
        // The way back shows what the last point does.
        write(from->image(image, col < d.scan[1] ? frame : image / per_line * d.scan[1]).value());
    }
    write(from->end());
}

TEST(Timepix3File, HasTheFramesThatWereSent) {
    std::string const path =
        (std::filesystem::path(testing::TempDir()) / fmt::format("sluice_{}.tpx3", ::getpid()))
            .string();
    auto const counts = counts_of_scan(12);
    Dataset const sent =
        from_memory({.data = counts.data(), .dtype = DType::u8, .shape = {3, 4, rows, cols}})
            .value();
    for (index const flyback : {0, 2}) {
        std::string const layout = "0:0:0,1:0:256:180";
        sent_as_file(path, sent, {.rate = 1500, .flyback = flyback}, layout);
        auto const d = open(
            path, {.scan_shape = {{3, 4}},
                   .format = {Tpx3Options{.chip_layout = layout,
                                          .tpx3_flyback = static_cast<std::uint64_t>(flyback)}}});
        ASSERT_TRUE(d) << d.error().text();
        EXPECT_TRUE(d->warnings.empty()) << d->warnings.front();
        std::vector<EncodedFrame> frames(12);
        FetchScratch scratch;
        ASSERT_TRUE(d->source->fetch(0, frames, scratch));
        for (std::size_t f = 0; f < 12; ++f) {
            std::vector<std::uint16_t> v(256 * 512);
            ASSERT_EQ(frames[f].encoding, Encoding::wide_hits);
            ASSERT_TRUE(
                decode_frame(frames[f], {256, 512, 2}, std::as_writable_bytes(std::span(v))));
            for (std::size_t r = 0; r < 256; ++r)
                for (std::size_t c = 0; c < 512; ++c)
                    ASSERT_EQ(v[r * 512 + c],
                              r < rows && c < cols ? counts[(f * rows + r) * cols + c] : 0)
                        << f << ": " << r << ", " << c;
        }
    }
    std::filesystem::remove(path);
}

}  // namespace
}  // namespace sluice::net::timepix3
