// From a sequence to a dataset.
// Source: the fields as PIMS (BSD) and LiberTEM (MIT) list them.
// SPDX-License-Identifier: Apache-2.0
#include "format/seq/seq.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <filesystem>

#include "base/bytes.h"
#include "format/raw/flat_scan.h"

namespace sluice::seq {
namespace {

constexpr std::uint32_t magic = 0xfeed;
constexpr std::size_t header_bytes = 624;

// What the camera's maker would correct frames with is not applied by itself.
void note_corrections(std::string const& path, Dataset& d) {
    for (std::string_view const kind : {"dark", "gain"}) {
        std::error_code ignored;
        std::string const beside = fmt::format("{}.{}.mrc", path, kind);
        if (!std::filesystem::exists(beside, ignored)) continue;
        d.warnings.push_back(
            fmt::format("{} is not applied: the frames are as the camera wrote them", beside));
        d.notes.push_back(d.warnings.back());
    }
}

Result<Dataset> open_file(File file, OpenOptions const& options) {
    std::vector<std::byte> head(std::min<std::uint64_t>(file.size(), 4096));
    SLUICE_CHECK(file.read(0, head));
    SLUICE_TRY(Header const h, parse_header(head));
    FlatScan s{.format = "seq", .rows = h.rows, .cols = h.cols, .announced = h.frames};
    s.layout.stored.bytes = h.bytes;
    s.layout.offset = h.data_at, s.layout.stride = h.stride;
    std::string const path = file.path();
    SLUICE_TRY(Dataset d, open_flat(std::move(file), std::move(s), options));
    if (std::isfinite(h.frames_per_s) && h.frames_per_s > 0) d.dwell_s = 1 / h.frames_per_s;
    note_corrections(path, d);
    return d;
}

}  // namespace

Result<Header> parse_header(Bytes head) {
    if (head.size() < header_bytes)
        return Error{.code = Code::truncated,
                     .message = "the file ends within its header; copy it again",
                     .at = head.size()};
    auto const word = [&](std::size_t at) {
        return index{load_le<std::uint32_t>(head.data() + at)};
    };
    Header h{.rows = word(552), .cols = word(548), .frames = word(572)};
    index const bits = word(556), compressed = word(620);
    h.stride = static_cast<std::uint64_t>(word(580));
    h.data_at = load_le<std::int32_t>(head.data() + 28) >= 5 ? 8192 : 1024;
    h.frames_per_s = std::bit_cast<double>(load_le<std::uint64_t>(head.data() + 584));
    if (compressed != 0)
        return Error{
            .code = Code::unsupported,
            .message = fmt::format("compressed frames (of kind {}); export the sequence without "
                                   "compression",
                                   compressed),
            .at = 620};
    if (bits != 8 && bits != 16)
        return Error{
            .code = Code::unsupported,
            .message = fmt::format("pixels of {} bits (8 and 16 are read); export the sequence "
                                   "with 16",
                                   bits),
            .at = 556};
    h.bytes = static_cast<int>(bits / 8);
    if (word(0) != magic || h.rows < 1 || h.cols < 1 ||
        static_cast<std::uint64_t>(h.rows) * static_cast<std::uint64_t>(h.cols * h.bytes) >
            h.stride)
        return Error{.code = Code::corrupt,
                     .message = fmt::format(
                         "frames of {}x{} pixels, each in {} bytes; the header is damaged", h.rows,
                         h.cols, h.stride),
                     .at = 548};
    return h;
}

bool recognises(std::string_view, Bytes head) {
    return head.size() >= 4 && load_le<std::uint32_t>(head.data()) == magic;
}

Result<Dataset> open(std::string const& path, OpenOptions const& options) {
    SLUICE_TRY(File file, File::open(path));
    auto d = open_file(std::move(file), options);
    if (!d && d.error().file.empty()) d.error().file = path;
    return d;
}

}  // namespace sluice::seq
