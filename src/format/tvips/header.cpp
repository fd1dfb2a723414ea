// Headers of TVIPS' recordings.
// Source: the fields as LiberTEM (MIT) lists them.
// SPDX-License-Identifier: Apache-2.0
#include "format/tvips/header.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "base/bytes.h"

namespace sluice::tvips {
namespace {

// Of the header of a frame: a counter of the frames in the scan, and the place.
constexpr std::size_t counter_at = 48, scan_x_at = 68, scan_end = 76;
constexpr index most_looks = 1 << 16;
constexpr index most_frame_header = 1 << 16;

struct Place {
    index counter = 0, x = -1, y = -1;
};

Result<Place> place_of(File const& file, SeriesHeader const& h, index frame) {
    std::array<std::byte, scan_end> bytes{};
    std::uint64_t const at = series_header_bytes + static_cast<std::uint64_t>(frame) * h.stride();
    SLUICE_CHECK(file.read(
        at, std::span(bytes).first(std::min<std::size_t>(scan_end, h.frame_header_bytes))));
    auto const whole = [&](std::size_t i) -> index {
        float const v = std::bit_cast<float>(load_le<std::uint32_t>(bytes.data() + i));
        return v >= 0 && v < 1e6F ? static_cast<index>(v) : -1;
    };
    return Place{load_le<std::uint32_t>(bytes.data() + counter_at), whole(scan_x_at),
                 whole(scan_x_at + 4)};
}

}  // namespace

Result<SeriesHeader> parse_series_header(Bytes head) {
    if (head.size() < series_header_bytes)
        return Error{.code = Code::truncated,
                     .message = "the file ends within its header of 256 bytes; copy it again",
                     .at = head.size()};
    auto const word = [&](std::size_t i) {
        return index{load_le<std::int32_t>(head.data() + 4 * i)};
    };
    SeriesHeader h{.version = static_cast<int>(word(1)), .rows = word(3), .cols = word(2)};
    if (word(0) != static_cast<index>(series_header_bytes) || (h.version != 1 && h.version != 2))
        return Error{
            .code = Code::unsupported,
            .message = fmt::format("a header of {} bytes of version {} (256 bytes, 1 and 2 are "
                                   "read); is this the first file of a recording?",
                                   word(0), h.version),
            .at = 0};
    if (word(4) != 8 && word(4) != 16)
        return Error{
            .code = Code::unsupported,
            .message = fmt::format("pixels of {} bits (8 and 16 are read); export the recording "
                                   "with 16",
                                   word(4)),
            .at = 16};
    h.bytes = static_cast<int>(word(4) / 8);
    if (word(12) > 12 && word(12) <= most_frame_header)
        h.stated_header_bytes = static_cast<std::uint64_t>(word(12));
    if (h.version == 2) h.frame_header_bytes = static_cast<std::uint64_t>(word(12));
    if (h.rows < 1 || h.cols < 1 ||
        (h.version == 2 && (word(12) < 12 || word(12) > most_frame_header)))
        return Error{
            .code = Code::corrupt,
            .message = fmt::format("frames of {}x{} pixels behind headers of {} bytes; the header "
                                   "is damaged",
                                   h.rows, h.cols, word(12)),
            .at = 8};
    h.binning_x = word(7), h.binning_y = word(8);
    h.pixel_nm = word(9), h.energy_kv = word(10), h.magnification = word(11);
    return h;
}

// The scan begins where (0, 0) is followed by (1, 0), and its first row ends where x falls. Without
// places it begins where the counter goes from 1 to 2.
Result<std::optional<FoundScan>> find_scan(File const& file, SeriesHeader const& h, index frames) {
    std::optional<FoundScan> by_place, by_counter;
    if (h.frame_header_bytes < counter_at + 4) return by_place;
    Place last;
    for (index i = 0; i < std::min(frames, most_looks); ++i) {
        SLUICE_TRY(Place const p, place_of(file, h, i));
        if (!by_counter && last.counter == 1 && p.counter == 2) by_counter = FoundScan{i - 1, 0};
        bool const began = last.x == 0 && last.y == 0 && p.x == 1 && p.y == 0;
        if (!by_place && i > 0 && began) by_place = FoundScan{i - 1, 0};
        if (by_place && p.x < last.x && i > by_place->start + 1) {
            by_place->cols = last.x + 1;
            return by_place;
        }
        // Where there are no places, the counter's start is all that can be found.
        if (by_counter && h.frame_header_bytes < scan_end) return by_counter;
        last = p;
    }
    return by_counter;
}

}  // namespace sluice::tvips
