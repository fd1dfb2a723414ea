// From a block file to a dataset.
// Source: the fields as LiberTEM (MIT) lists them.
// SPDX-License-Identifier: Apache-2.0
#include "format/blo/blo.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>

#include "base/bytes.h"
#include "format/calibration.h"
#include "format/raw/flat_scan.h"

namespace sluice::blo {
namespace {

constexpr std::string_view mark = "IMGBLO";
constexpr std::size_t header_bytes = 240, block_header_bytes = 6;
constexpr std::string_view wide_mark = "Blo Bit Depth: 16 bits";

double load_double(std::byte const* p) {
    return std::bit_cast<double>(load_le<std::uint64_t>(p));
}

// 0: not stated.
double stated(double v) {
    return std::isfinite(v) && v > 0 ? v : 0;
}

Result<Dataset> open_file(File file, OpenOptions const& options) {
    std::vector<std::byte> head(std::min<std::uint64_t>(file.size(), 4096));
    SLUICE_CHECK(file.read(0, head));
    SLUICE_TRY(Header const h, parse_header(head));
    FlatScan s{.format = "blo", .rows = h.side, .cols = h.side};
    s.layout.stored.bytes = h.wide ? 2 : 1;
    s.layout.offset = h.patterns_at + block_header_bytes;
    s.layout.stride =
        static_cast<std::uint64_t>(h.side * h.side) * (h.wide ? 2 : 1) + block_header_bytes;
    s.announced = h.scan_rows * h.scan_cols;
    s.scan = ScanGrid{h.scan_rows, h.scan_cols}, s.scan_from = "the header's NY and NX";
    SLUICE_TRY(Dataset d, open_flat(std::move(file), std::move(s), options));
    d.scan_step_nm = stated(h.step_x_nm);
    if (stated(h.step_x_nm) != stated(h.step_y_nm))
        d.notes.push_back(
            fmt::format("the scan step is {:g} nm along columns and {:g} nm along rows; the "
                        "first is taken",
                        h.step_x_nm, h.step_y_nm));
    d.energy_kv = h.energy_v / 1e3;
    d.camera_length_mm = ten_digits(h.camera_length / 10);
    if (h.pixels_per_cm > 0)
        d.metadata.push_back(
            {"detector resolution", fmt::format("{:g}", h.pixels_per_cm / 100), "pixels/cm"});
    if (h.scan_rotation > 0)
        d.metadata.push_back(
            {"scan rotation", fmt::format("{:g}", h.scan_rotation / 100), "degrees"});
    return d;
}

}  // namespace

Result<Header> parse_header(Bytes head) {
    if (head.size() < header_bytes)
        return Error{.code = Code::truncated,
                     .message = "the file ends within its header of 240 bytes; copy it again",
                     .at = head.size()};
    std::byte const* const p = head.data();
    auto const magic = load_le<std::uint16_t>(p + 6);
    if (!recognises("", head) || (magic != 258 && magic != 259))
        return Error{
            .code = Code::unsupported,
            .message = fmt::format("a block file of kind {} (258 and 259 are read); save it "
                                   "again with a current version of ASTAR",
                                   magic),
            .at = 6};
    Header h;
    std::string_view const text(reinterpret_cast<char const*>(p), head.size());
    h.wide = magic == 259 && text.find(wide_mark, header_bytes) != std::string_view::npos;
    h.patterns_at = load_le<std::uint32_t>(p + 12);
    h.side = load_le<std::uint16_t>(p + 20);
    h.scan_cols = load_le<std::uint16_t>(p + 24);
    h.scan_rows = load_le<std::uint16_t>(p + 26);
    h.scan_rotation = load_le<std::uint16_t>(p + 28);
    h.step_x_nm = load_double(p + 30);
    h.step_y_nm = load_double(p + 38);
    h.energy_v = load_le<std::uint32_t>(p + 46);
    h.pixels_per_cm = load_le<std::uint16_t>(p + 50);
    h.camera_length = load_le<std::uint32_t>(p + 52);
    if (h.side < 1 || h.scan_cols < 1 || h.scan_rows < 1 || h.patterns_at < header_bytes)
        return Error{
            .code = Code::corrupt,
            .message = fmt::format("{}x{} patterns of {}x{} from byte {} on; the header is damaged",
                                   h.scan_rows, h.scan_cols, h.side, h.side, h.patterns_at),
            .at = 12};
    return h;
}

bool recognises(std::string_view, Bytes head) {
    return std::string_view(reinterpret_cast<char const*>(head.data()), head.size())
        .starts_with(mark);
}

Result<Dataset> open(std::string const& path, OpenOptions const& options) {
    SLUICE_TRY(File file, File::open(path));
    auto d = open_file(std::move(file), options);
    if (!d && d.error().file.empty()) d.error().file = path;
    return d;
}

}  // namespace sluice::blo
