// From an NPY header to a dataset.
// SPDX-License-Identifier: Apache-2.0
#include "format/npy/npy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "format/npy/header.h"
#include "format/scan_shape.h"

namespace sluice::npy {
namespace {

constexpr std::uint64_t largest_header = 1 << 20;

Result<Header> read_header(File const& file) {
    std::vector<std::byte> bytes(std::min<std::uint64_t>(file.size(), 12));
    SLUICE_CHECK(file.read(0, bytes));
    SLUICE_TRY(std::uint64_t const size, header_bytes(bytes));
    if (size > largest_header)
        return Error{Code::corrupt,
                     fmt::format("an NPY header of {} bytes (NumPy's have about 128)", size),
                     {},
                     8};
    bytes.resize(std::min(file.size(), std::max<std::uint64_t>(size, 12)));
    SLUICE_CHECK(file.read(0, bytes));
    return parse_header(bytes);
}

/// The product of the sides, or an error when it has no place in the address space.
Result<index> product(std::span<index const> sides) {
    index n = 1;
    for (index side : sides) {
        if (side != 0 && n > (index{1} << 48) / side)
            return Error{Code::corrupt,
                         fmt::format("a shape of {} (no file is so large)", fmt::join(sides, "x"))};
        n *= side;
    }
    return n;
}

Status check_shape(Header const& h) {
    std::string const shape = fmt::format("{}", fmt::join(h.shape, "x"));
    if (h.shape.size() != 3 && h.shape.size() != 4)
        return Error{Code::unsupported,
                     fmt::format("holds an array of {} dimensions ({}); frames need 3 (frame, row, "
                                 "column) or 4 (scan row, scan column, row, column)",
                                 h.shape.size(), shape)};
    if (h.fortran_order)
        return Error{Code::unsupported,
                     "the array is in Fortran order (its frames do not lie in one piece); save it "
                     "again with numpy.save(path, numpy.ascontiguousarray(array))"};
    if (std::ranges::count(h.shape, 0) > 0)
        return Error{Code::invalid_argument, fmt::format("the array is empty ({})", shape)};
    return {};
}

Result<Dataset> open_file(File file, OpenOptions const& options) {
    SLUICE_TRY(Header const h, read_header(file));
    SLUICE_CHECK(check_shape(h));
    SLUICE_TRY(index const values, product(h.shape));
    std::size_t const leading = h.shape.size() - 2;
    index const rows = h.shape[leading], cols = h.shape[leading + 1];
    index const announced = values / (rows * cols);
    FlatLayout layout{h.type, h.data_at, 0, rows * cols};
    std::uint64_t const held = file.size() - h.data_at;
    std::uint64_t const promised = static_cast<std::uint64_t>(announced) * layout.frame_bytes();
    layout.present = std::min(announced, static_cast<index>(held / layout.frame_bytes()));
    if (held < promised && (!options.allow_incomplete || layout.present == 0))
        return Error{Code::truncated,
                     fmt::format("the file ends {} bytes short of its {} frames of {}x{} ({} are "
                                 "whole); copy it again, or open it with --allow-incomplete",
                                 promised - held, announced, rows, cols, layout.present),
                     {},
                     file.size()};

    ScanQuery query{.present = layout.present,
                    .expected = announced,
                    .user = options.scan_shape,
                    .allow_incomplete = options.allow_incomplete};
    if (leading == 2) query.attribute = ScanGrid{h.shape[0], h.shape[1]};
    SLUICE_TRY(ScanShape scan, resolve_scan_shape(query));

    Dataset d;
    d.format = "npy";
    d.dtype = read_as(h.type);
    d.frames = scan.frames;
    d.missing = scan.missing;
    d.missing_runs = std::move(scan.missing_runs);
    d.rows = rows;
    d.cols = cols;
    d.scan = scan.grid;
    d.scan_from = scan.from;
    d.notes = std::move(scan.notes);
    if (std::string note = conversion_note(h.type); !note.empty()) d.notes.push_back(note);
    if (held > promised)
        d.notes.push_back(fmt::format("{} bytes after the array are ignored", held - promised));
    d.files = {file.path()};
    d.path = file.path();
    d.source = std::make_shared<FlatSource>(std::move(file), layout);
    return d;
}

}  // namespace

bool recognises(std::string_view, Bytes head) {
    return is_npy(head);
}

Result<Dataset> open(std::string const& path, OpenOptions const& options) {
    SLUICE_TRY(File file, File::open(path));
    Result<Dataset> d = open_file(std::move(file), options);
    if (!d && d.error().file.empty()) d.error().file = path;
    return d;
}

}  // namespace sluice::npy
