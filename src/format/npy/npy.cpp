// From an NPY header to a dataset.
// SPDX-License-Identifier: Apache-2.0
#include "format/npy/npy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/plural.h"
#include "format/npy/header.h"
#include "format/raw/ordered_source.h"
#include "format/scan_shape.h"
#include "format/while_written.h"

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
    if (std::ranges::count(h.shape, 0) > 0)
        return Error{Code::invalid_argument, fmt::format("the array is empty ({})", shape)};
    return {};
}

/// NumPy puts nothing behind an array, so that a longer file was changed, or holds several arrays.
Status check_behind(File const& file, Header const& h, index values, OpenOptions const& options) {
    std::uint64_t const end = h.data_at + static_cast<std::uint64_t>(values * h.type.bytes);
    if (file.size() <= end || options.allow_incomplete) return {};
    return Error{Code::corrupt,
                 fmt::format("the file has {} more than its array of {}, so that frames may "
                             "have been shifted; copy it again, save the array again, or leave "
                             "out what is behind it with --allow-incomplete",
                             plural(file.size() - end, "byte"), fmt::join(h.shape, "x")),
                 {},
                 end};
}

std::string behind_note(std::uint64_t bytes) {
    return plural(bytes, "byte after the array is", "bytes after the array are") + " ignored";
}

/// The dataset but for its frames, whose shape and scan are known.
Dataset describe(File const& file, StoredType type, ScanShape& scan, index rows, index cols) {
    Dataset d;
    d.format = "npy";
    d.dtype = read_as(type);
    d.frames = scan.frames;
    d.missing = scan.missing;
    d.missing_runs = std::move(scan.missing_runs);
    d.rows = rows;
    d.cols = cols;
    d.scan = scan.grid;
    d.scan_from = scan.from;
    d.notes = std::move(scan.notes);
    d.warnings = std::move(scan.warnings);
    if (std::string note = conversion_note(type); !note.empty()) d.notes.push_back(note);
    d.files = {file.path()};
    d.path = file.path();
    return d;
}

/// An array whose axes are not scan first and detector last in the file: Fortran order turns them
/// around.
Result<Dataset> open_ordered(File file, Header const& h, OpenOptions const& options) {
    std::size_t const rank = h.shape.size();
    boxes::FrameAxes axes = boxes::usual_axes(rank);
    if (!options.axis_order.empty()) {
        SLUICE_TRY(axes, boxes::parse_axes(options.axis_order, rank));
    }
    std::string const order = boxes::axes_text(axes);
    OrderedArray array{h.shape, std::move(axes), h.type, h.data_at};
    index const rows = h.shape[array.axes.row], cols = h.shape[array.axes.col];
    SLUICE_TRY(index const values, product(h.shape));
    SLUICE_CHECK(check_behind(file, h, values, options));
    ScanQuery query{.present = values / (rows * cols), .user = options.scan_shape};
    if (rank == 4)
        query.attribute = ScanGrid{h.shape[array.axes.scan[0]], h.shape[array.axes.scan[1]]};
    SLUICE_TRY(ScanShape scan, resolve_scan_shape(query));
    if (h.fortran_order) {
        std::ranges::reverse(array.shape);
        for (std::size_t& axis : array.axes.scan) axis = rank - 1 - axis;
        array.axes.row = rank - 1 - array.axes.row;
        array.axes.col = rank - 1 - array.axes.col;
    }
    Dataset d = describe(file, h.type, scan, rows, cols);
    if (!options.axis_order.empty())
        d.notes.push_back(fmt::format("the axes are read as {}, as the user says", order));
    std::uint64_t const end = h.data_at + static_cast<std::uint64_t>(values * h.type.bytes);
    if (file.size() > end) d.notes.push_back(behind_note(file.size() - end));
    SLUICE_TRY(d.source, ordered_source(std::move(file), array));
    return d;
}

Result<Dataset> open_file(File file, OpenOptions const& options) {
    SLUICE_TRY(Header const h, read_header(file));
    SLUICE_CHECK(check_shape(h));
    if (WhileWritten::now() && h.fortran_order)
        return Error{Code::unsupported,
                     "the array is in Fortran order (its first frame is whole when its last one "
                     "is) wait until the file is written"};
    if (h.fortran_order || !options.axis_order.empty())
        return open_ordered(std::move(file), h, options);
    SLUICE_TRY(index const values, product(h.shape));
    SLUICE_CHECK(check_behind(file, h, values, options));
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
    if (leading == 2) {
        query.attribute = ScanGrid{h.shape[0], h.shape[1]};
        if (WhileWritten::now()) query.attribute_from = "shape of the array";
    }
    SLUICE_TRY(ScanShape scan, resolve_scan_shape(query));

    Dataset d = describe(file, h.type, scan, rows, cols);
    if (held > promised) d.notes.push_back(behind_note(held - promised));
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
