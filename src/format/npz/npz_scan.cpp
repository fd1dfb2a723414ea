// From an archive of arrays to a dataset.
// SPDX-License-Identifier: Apache-2.0
#include "format/npz/npz_scan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/memory.h"
#include "codec/zip/quoted.h"
#include "format/boxes/box.h"
#include "format/npy/npz.h"
#include "format/npz/npz_frames.h"
#include "format/raw/flat_scan.h"

namespace sluice::npz_scan {
namespace {

constexpr std::uint64_t largest_header = 1 << 20;

/// An array that may be a scan.
struct Found {
    std::string name;
    zip::Member member;
    npy::Header header;
};

std::string name_of_array(zip::Member const& m) {
    return m.name.substr(0, m.name.size() - 4);
}

// Of a packed array as much as a header may take is not known before it is unpacked.
Result<npy::Header> header_of(Source const& file, zip::Member const& m, std::uint64_t most) {
    if (m.deflated) {
        SLUICE_TRY(auto const bytes, zip::read_member(file, m, most));
        return npy::parse_header(bytes);
    }
    std::vector<std::byte> head(std::min<std::uint64_t>(m.size, 12));
    SLUICE_CHECK(file.read(m.at, head));
    SLUICE_TRY(std::uint64_t const size, npy::header_bytes(head));
    head.resize(static_cast<std::size_t>(
        std::min({m.size, std::max<std::uint64_t>(size, 12), largest_header})));
    SLUICE_CHECK(file.read(m.at, head));
    return npy::parse_header(head);
}

bool has_frames(npy::Header const& h) {
    return (h.shape.size() == 3 || h.shape.size() == 4) && std::ranges::count(h.shape, 0) == 0;
}

Result<Found> choose(Source const& file, std::string const& wanted, std::uint64_t most) {
    SLUICE_TRY(auto const members, zip::zip_members(file, zip::Packing::deflated_too));
    std::vector<Found> scans;
    std::vector<std::string> names;
    for (auto const& m : members) {
        if (!m.name.ends_with(".npy")) continue;
        std::string const name = name_of_array(m);
        names.push_back(zip::in_quotes(name));
        if (!wanted.empty() && name != wanted) continue;
        auto header = header_of(file, m, most);
        if (!header && !wanted.empty()) return std::move(header).error();
        if (header && has_frames(*header)) scans.push_back({name, m, *std::move(header)});
    }
    if (scans.size() == 1) return std::move(scans.front());
    return Error{Code::invalid_argument,
                 fmt::format("the archive has {} arrays of frames{} (its arrays: {}; frames need 3 "
                             "or 4 dimensions of real numbers) name one by --dataset",
                             scans.size(), wanted.empty() ? "" : " of that name",
                             names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", ")))};
}

// The elements are as many as the shape needs.
Status check_size(Found const& f) {
    std::uint64_t const held = f.member.size - std::min(f.member.size, f.header.data_at);
    std::vector<std::uint64_t> const sides(f.header.shape.begin(), f.header.shape.end());
    auto const count = boxes::product_of(sides, held);
    if (count && *count * static_cast<std::uint64_t>(f.header.type.bytes) == held) return {};
    return Error{Code::truncated,
                 fmt::format("the array {} of {} has {} bytes of elements; save it again",
                             zip::in_quotes(f.name), fmt::join(f.header.shape, "x"), held),
                 {},
                 f.member.at};
}

Result<std::shared_ptr<FrameSource const>> frames_of(std::shared_ptr<Source const> const& file,
                                                     Found const& f, index pixels,
                                                     std::uint64_t most) {
    // Stored, and in the order of frames: they are read where they are.
    if (!f.member.deflated && !f.header.fortran_order)
        return source_frames(file, f.member.at + f.header.data_at, f.member.size - f.header.data_at,
                             f.header.type, pixels);
    SLUICE_TRY(npy::Npz const npz, npy::Npz::open(file));
    SLUICE_TRY(auto array, npz.read(f.name, most));
    if (!array) return Error{Code::corrupt, "the array is not there any more"};
    std::vector<std::byte> bytes = std::move(array->bytes);
    std::uint64_t const at = array->header.data_at, size = bytes.size() - at;
    return source_frames(memory_source(file->name(), std::move(bytes)), at, size,
                         array->header.type, pixels);
}

}  // namespace

Result<Dataset> open_source_of(std::shared_ptr<Source const> const& file,
                               OpenOptions const& options, std::uint64_t most_bytes) {
    std::uint64_t const most = most_bytes ? most_bytes : memory_available() / 2;
    SLUICE_TRY(Found const f, choose(*file, options.format.of<Hdf5Options>().dataset, most));
    SLUICE_CHECK(check_size(f));
    auto const& shape = f.header.shape;
    std::size_t const leading = shape.size() - 2;
    FlatScan s{.format = "npz", .rows = shape[leading], .cols = shape[leading + 1]};
    SLUICE_CHECK(check_frame(s.rows, s.cols));
    s.layout.stored = f.header.type, s.layout.pixels = s.rows * s.cols;
    index frames = 1;
    for (std::size_t i = 0; i < leading; ++i) frames *= shape[i];
    s.announced = frames;
    if (leading == 2) s.scan = ScanGrid{shape[0], shape[1]}, s.scan_from = "shape of the array";
    SLUICE_TRY(auto source, frames_of(file, f, s.layout.pixels, most));
    SLUICE_TRY(Dataset d, open_frames(std::move(source), frames, {file->name()}, s, options));
    d.notes.push_back(fmt::format("the frames are the array {}", zip::in_quotes(f.name)));
    if (f.member.deflated)
        d.notes.emplace_back("the array is packed as a whole, and was unpacked into memory");
    return d;
}

bool recognises(std::string_view path, Bytes head) {
    std::string_view const text(reinterpret_cast<char const*>(head.data()), head.size());
    return text.starts_with("PK\3\4") && (path.ends_with(".npz") || path.ends_with(".prz"));
}

Result<Dataset> open(std::string const& path, OpenOptions const& options) {
    SLUICE_TRY(auto const file, open_source(path));
    auto d = open_source_of(file, options);
    if (!d && d.error().file.empty()) d.error().file = path;
    return d;
}

}  // namespace sluice::npz_scan
