// From a series to a dataset.
// SPDX-License-Identifier: Apache-2.0
#include "format/ser/ser.h"

#include <fmt/format.h>

#include <filesystem>

#include "format/calibration.h"
#include "format/raw/flat_scan.h"
#include "format/ser/header.h"

namespace sluice::ser {
namespace {

// Where the pixels of each element are.
Result<std::vector<std::uint64_t>> find_frames(File const& file, Header const& h, Element const& e,
                                               std::uint64_t frame) {
    std::vector<std::uint64_t> places;
    for (std::uint64_t const offset : h.offsets) {
        std::uint64_t const at = offset + e.header_bytes;
        if (offset > file.size() || file.size() < at || file.size() - at < frame)
            return Error{
                Code::truncated,
                fmt::format("the file ends within an element of {} bytes; copy it again", frame),
                file.path(), file.size()};
        places.push_back(at);
    }
    return places;
}

// Elements of one size and type make frames; the first and the last are looked at.
Result<Element> common_element(Source const& file, Header const& h) {
    SLUICE_TRY(Element first, read_element(file, h, 0));
    SLUICE_TRY(Element const last, read_element(file, h, h.offsets.size() - 1));
    if (first != last)
        return Error{
            Code::unsupported,
            fmt::format("elements of different sizes ({}x{} and {}x{}); export them one by one",
                        first.rows, first.cols, last.rows, last.cols),
            file.name(), h.offsets.back()};
    SLUICE_CHECK(check_frame(first.rows, first.cols));
    return first;
}

Result<Dataset> open_series(std::string const& path, OpenOptions const& options) {
    SLUICE_TRY(auto const bytes, open_source(path));
    SLUICE_TRY(Header const h, read_header(*bytes));
    SLUICE_TRY(Element const e, common_element(*bytes, h));
    SLUICE_TRY(File opened, File::open(path));
    auto const file = std::make_shared<File const>(std::move(opened));
    FlatScan s{.format = "ser", .rows = e.rows, .cols = e.cols};
    s.layout.stored = e.stored, s.layout.pixels = e.rows * e.cols;
    SLUICE_TRY(auto const places, find_frames(*file, h, e, s.layout.frame_bytes()));
    FlatRuns runs = runs_of(file, places, s.layout.frame_bytes());
    s.layout.stride = runs.stride;
    if (h.dimensions.size() == 2) s.scan = ScanGrid{h.dimensions[1], h.dimensions[0]};
    if (h.dimensions.size() == 1 && h.dimensions[0] == h.elements) s.scan = ScanGrid{1, h.elements};
    s.scan_from = "the dimensions of the series";
    SLUICE_TRY(Dataset d, open_pieces(std::move(runs.pieces), s, options));
    d.path = path;
    d.scan_step_nm = h.dimensions.size() == 2 ? ten_digits(h.step_m * 1e9) : 0;
    if (e.step > 0)
        d.metadata.push_back({"step in the element", fmt::format("{:.6g}", e.step), ""});
    if (h.images)
        d.notes.emplace_back(
            "rows are as the file has them; TIA shows the first one at the bottom");
    return d;
}

}  // namespace

bool recognises(std::string_view, Bytes head) {
    return std::string_view(reinterpret_cast<char const*>(head.data()), head.size())
        .starts_with("II\x97\x01");
}

Result<Dataset> open(std::string const& path, OpenOptions const& options) {
    auto d = open_series(path, options);
    if (!d && d.error().file.empty()) d.error().file = path;
    return d;
}

}  // namespace sluice::ser
