// The frames of one dataset as parts.
// SPDX-License-Identifier: Apache-2.0
#include "format/hdf5/frames.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

#include "format/hdf5/virtual.h"
#include "format/scan_shape.h"

namespace sluice::hdf5 {
namespace {

/// Puts frames first .. first + count - 1 of a source at `to`, and what they lack to the missing.
void place(FrameParts const& source, index first, index count, index to, FrameParts& out) {
    index const end = first + count, apart = to - first;
    auto p = std::upper_bound(source.parts.begin(), source.parts.end(), first,
                              [](index f, PlacedPart const& x) { return f < x.first + x.count; });
    for (; p != source.parts.end() && p->first < end; ++p) {
        index const from = std::max(first, p->first), stop = std::min(end, p->first + p->count);
        out.parts.push_back({from + apart, stop - from, p->part, p->local + from - p->first});
    }
    auto m = std::upper_bound(source.missing.begin(), source.missing.end(), first,
                              [](index f, FrameRun const& x) { return f < x.first + x.count; });
    for (; m != source.missing.end() && m->first < end; ++m) {
        index const from = std::max(first, m->first), stop = std::min(end, m->first + m->count);
        add_run(out.missing, {from + apart, stop - from});
    }
}

Status check_source(StoredDataset const& source, StoredDataset const& d) {
    if (source.rank() < 3 || source.rows() != d.rows() || source.cols() != d.cols())
        return Error{
            Code::corrupt,
            fmt::format("holds frames of {}, and the virtual dataset {} has {}; is it a file "
                        "of another acquisition?",
                        shape_text(source.extent), d.path, shape_text(d.extent)),
            source.file};
    if (source.dtype != d.dtype || source.element.kind != d.element.kind)
        return other_type(d, source);
    return {};
}

/// The frames of each source that runs need. Of a source with one run these frames alone; where it
/// has several, its index is to be read once.
struct OpenedSource {
    index runs = 0;
    Selection selection = {};
    std::optional<FrameParts> frames = {};
};

/// Frames of the run that the source has: it may be shorter than the mapping says.
index there(VirtualRun const& run) {
    index const left = run.source->frames() - run.selection.first, stride = run.selection.stride;
    return std::clamp<index>((left + stride - 1) / stride, 0, run.selection.count);
}

Status open_run(StoredDataset const& d, VirtualRun const& run, OpenedSource& source,
                Opening& opening) {
    if (source.frames) return {};
    StoredDataset const& from = *run.source;
    source.selection = run.selection;
    source.selection.count = there(run);
    if (source.runs > 1) source.selection = {0, 1, from.frames()};
    SLUICE_CHECK(check_source(from, d));
    SLUICE_TRY(source.frames, frames_of(from, source.selection, opening));
    if (from.storage != Storage::mapped) add_note(opening.files, from.file);
    return {};
}

/// Frames that no source has. Within another virtual dataset they keep the fill value of this one.
void leave_out(index first, index count, Opening const& opening, FrameParts& out) {
    add_run(out.missing, {first, count});
    if (count > 0 && opening.depth > 1) out.parts.push_back({first, count, missing_part(out.fill)});
}

Result<FrameParts> from_runs(StoredDataset const& d, std::vector<VirtualRun> const& runs,
                             index count, Opening& opening) {
    FrameParts out;
    out.count = count;
    out.fill = d.read_fill();
    std::map<StoredDataset const*, OpenedSource> sources;
    for (VirtualRun const& run : runs) ++sources[run.source.get()].runs;
    index next = 0;
    for (VirtualRun const& run : runs) {
        index const n = there(run);
        if (n == 0) continue;
        leave_out(next, run.first - next, opening, out);
        next = run.first + n;
        OpenedSource& source = sources[run.source.get()];
        SLUICE_CHECK(open_run(d, run, source, opening));
        Selection const s = run.selection;
        if (source.runs == 1)
            place(*source.frames, 0, n, run.first, out);
        else if (s.stride == 1)
            place(*source.frames, s.first, n, run.first, out);
        else
            for (index i = 0; i < n; ++i)
                place(*source.frames, s.first + i * s.stride, 1, run.first + i, out);
    }
    leave_out(next, count - next, opening, out);
    return out;
}

/// describe() has checked the usual order alone.
Status check_frame(StoredDataset const& d, boxes::FrameAxes const& axes) {
    std::vector<std::uint64_t> const pixels{d.extent[axes.row], d.extent[axes.col]};
    std::vector<std::uint64_t> scan;
    for (std::size_t a : axes.scan) scan.push_back(d.extent[a]);
    auto const n = boxes::product_of(pixels, std::uint64_t{1} << 28);
    if (n && *n > 0 && boxes::product_of(scan, std::uint64_t{1} << 40)) return {};
    return Error{Code::unsupported,
                 fmt::format("the dataset {} of shape {} has frames of {}x{} in this order of axes "
                             "(frames have 1 to 2^28 pixels)",
                             d.path, shape_text(d.extent), pixels[0], pixels[1]),
                 d.file};
}

}  // namespace

index FrameParts::present() const {
    bool const cut = !missing.empty() && missing.back().first + missing.back().count == count;
    return cut ? missing.back().first : count;
}

std::vector<FrameRun> FrameParts::holes() const {
    auto runs = missing;
    if (present() < count) runs.pop_back();
    return runs;
}

bool FrameParts::fill_is_no_count(DType type, bool sentinel) const {
    if (fill.empty()) return false;
    if (type != DType::f32)
        return sentinel &&
               std::ranges::all_of(fill, [](std::byte b) { return b == std::byte{255}; });
    float value = 0;
    expects(fill.size() == sizeof value);
    std::memcpy(&value, fill.data(), sizeof value);
    return !std::isfinite(value);
}

Result<FrameParts> frames_of(StoredDataset const& d, Selection selection, Opening& opening) {
    FrameParts out;
    out.count = selection.count;
    out.fill = d.read_fill();
    MadePart made;
    if (d.storage == Storage::mapped) {
        SLUICE_TRY(auto runs, virtual_runs(d, selection, opening));
        if (runs) {
            ++opening.depth;
            auto parts = from_runs(d, *runs, selection.count, opening);
            --opening.depth;
            return parts;
        }
        SLUICE_TRY(made, box_part(d, boxes::usual_axes(d.rank()), selection, opening));
    } else {
        SLUICE_TRY(made, make_part(d, selection, opening));
    }
    out.parts.push_back({0, selection.count, std::move(made.part)});
    out.missing = std::move(made.missing);
    if (std::string note = conversion_note(d.element); !note.empty())
        add_note(opening.notes, std::move(note));
    return out;
}

Result<FrameParts> frames_in_order(StoredDataset const& d, boxes::FrameAxes const& axes,
                                   Opening& opening) {
    boxes::FrameArray const array{d.extent, axes, d.element, d.file};
    SLUICE_CHECK(check_frame(d, axes));
    FrameParts out;
    out.count = array.frames();
    out.fill = d.read_fill();
    SLUICE_TRY(MadePart made, box_part(d, axes, {0, 1, out.count}, opening));
    out.parts.push_back({0, out.count, std::move(made.part)});
    out.missing = std::move(made.missing);
    return out;
}

std::string listed(std::vector<std::string> const& names, std::size_t most) {
    std::string text;
    for (std::size_t i = 0; i < std::min(names.size(), most); ++i)
        text += (i == 0 ? "" : ", ") + names[i];
    if (names.size() > most) text += fmt::format(" and {} more", names.size() - most);
    return text;
}

}  // namespace sluice::hdf5
