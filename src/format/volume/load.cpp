// From a header and its elements to a volume.
// SPDX-License-Identifier: Apache-2.0
#include "format/dicom/load.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/memory.h"
#include "base/plural.h"
#include "format/kinds/kinds.h"
#include "format/npy/header.h"
#include "format/volume/header.h"
#include "format/volume/values.h"
#include "sluice/load_volume.h"

namespace sluice {
namespace volume {
namespace {

// No header is longer, and packed bytes become at most so many (zlib's own limit).
constexpr std::uint64_t largest_header = 1 << 20, largest_ratio = 1032;

Result<Header> npy_header(Bytes head) {
    SLUICE_TRY(npy::Header const npy, npy::parse_header(head));
    if (npy.fortran_order)
        return Error{Code::unsupported,
                     "the array is in Fortran order; save it again with "
                     "numpy.save(path, numpy.ascontiguousarray(array))"};
    Header h;
    h.sides.assign(npy.shape.rbegin(), npy.shape.rend());
    SLUICE_CHECK(check_sides(h.sides));
    h.type = npy.type;
    h.data_at = npy.data_at;
    return h;
}

Result<Header> header_of(std::string const& path, Bytes head) {
    std::string_view const text(reinterpret_cast<char const*>(head.data()), head.size());
    if (npy::is_npy(head)) return npy_header(head);
    if (text.starts_with("NRRD")) return parse_nrrd(text);
    std::string const ending = std::filesystem::path(path).extension();
    std::string_view const first = text.substr(0, 200);
    if (ending == ".mhd" || ending == ".mha" || first.find("NDims") != first.npos)
        return parse_metaimage(text);
    if (ContentKind const* const kind = kind_of(path); kind && kind != &kinds::volume)
        return no_such_kind(path, kinds::volume);
    return Error{
        Code::unsupported,
        "is not a MetaImage (.mhd, .mha), NRRD, NPY or DICOM; convert it, for example with "
        "SimpleITK or 3D Slicer"};
}

Error too_many(Header const& h, File const& file, std::uint64_t at, std::uint64_t bytes) {
    return {Code::corrupt,
            fmt::format("the file has {} more than its header declares ({} elements of {} "
                        "bytes from byte {} on), so that elements may have been shifted; copy it "
                        "again, or write the image again",
                        plural(file.size() - at - bytes, "byte"), fmt::join(h.sides, "x"),
                        h.type.bytes, at),
            file.path(), at + bytes};
}

// How many bytes packed elements are, where the header says it.
Status check_packed_bytes(Header const& h, File const& file, std::uint64_t at) {
    if (!h.packed || !h.packed_bytes || *h.packed_bytes == file.size() - at) return {};
    bool const less = file.size() - at < *h.packed_bytes;
    return Error{less ? Code::truncated : Code::corrupt,
                 fmt::format("{} bytes of packed elements where the header declares {}; copy the "
                             "file again",
                             file.size() - at, *h.packed_bytes),
                 file.path(), at};
}

// Before anything is allocated. No writer puts anything behind the elements, so that a longer file
// was changed.
Result<std::uint64_t> begin_of(Header const& h, File const& file) {
    std::uint64_t const bytes =
        static_cast<std::uint64_t>(count(h.sides)) * static_cast<std::uint64_t>(h.type.bytes);
    std::uint64_t const least = h.packed ? bytes / largest_ratio : bytes;
    if (h.packed && !h.data_at)
        return Error{Code::unsupported,
                     "packed elements at the end of a file; say where they begin", file.path()};
    std::uint64_t const at = h.data_at.value_or(file.size() - std::min(file.size(), bytes));
    if (at > file.size() || file.size() - at < least)
        return Error{Code::truncated,
                     fmt::format("{} elements of {} bytes do not fit into the {} bytes of the "
                                 "file; copy it again",
                                 fmt::join(h.sides, "x"), h.type.bytes, file.size()),
                     file.path(), file.size()};
    if (!h.packed && file.size() - at > bytes) return too_many(h, file, at, bytes);
    SLUICE_CHECK(check_packed_bytes(h, file, at));
    return at;
}

Result<Volume> load(std::string const& path, std::uint64_t most_bytes) {
    if (dicom::is_dicom(path)) return dicom::load(path, most_bytes);
    SLUICE_TRY(File file, File::open(path));
    SLUICE_TRY(Header h, read_header(file));
    if (!h.data_file.empty()) {
        auto const beside = std::filesystem::path(path).parent_path() / h.data_file;
        SLUICE_TRY(file, File::open(beside));
    }
    SLUICE_TRY(std::uint64_t const at, begin_of(h, file));
    SLUICE_CHECK(check_memory(h.sides, most_bytes));
    Volume v{Array<float>::zeros({h.sides.rbegin(), h.sides.rend()}), std::move(h.spacing),
             std::move(h.origin), h.direction, std::move(h.content)};
    SLUICE_CHECK(h.packed ? read_packed(file, at, h.type, v.image.values)
                          : read_raw(file, at, h.type, v.image.values));
    return v;
}

}  // namespace

Result<Header> read_header(File const& file) {
    std::vector<std::byte> head(std::min(file.size(), largest_header));
    SLUICE_CHECK(file.read(0, head));
    auto header = header_of(file.path(), head);
    if (!header && header.error().file.empty()) header.error().file = file.path();
    return header;
}

Result<AxisDirections> directions_along(std::vector<std::vector<double>> const& vectors) {
    AxisDirections all = straight_axes;
    for (std::size_t a = 0; a < std::min<std::size_t>(vectors.size(), 3); ++a) {
        auto& axis = all[a] = {};
        std::copy_n(vectors[a].begin(), std::min<std::size_t>(vectors[a].size(), 3), axis.begin());
        double const length = std::hypot(axis[0], axis[1], axis[2]);
        if (!(length > 0 && std::isfinite(length)))
            return Error{Code::corrupt,
                         fmt::format("the direction of axis {} is ({}) (it has no length); mend "
                                     "the header",
                                     "xyz"[a], fmt::join(vectors[a], ", "))};
        for (double& c : axis) c /= length;
    }
    if (vectors.size() != 2) return all;
    auto const [a, b, c] = all[0];
    auto const [d, e, f] = all[1];
    std::array const across{b * f - c * e, c * d - a * f, a * e - b * d};
    double const length = std::hypot(across[0], across[1], across[2]);
    for (std::size_t i = 0; i < 3 && length > 0; ++i) all[2][i] = across[i] / length;
    return all;
}

index count(std::vector<index> const& sides) {
    index n = 1;
    for (index const side : sides) n *= side;
    return n;
}

Status check_sides(std::vector<index> const& sides) {
    if (sides.size() != 2 && sides.size() != 3)
        return Error{Code::unsupported,
                     fmt::format("an image of {} axes; 2 or 3 are read", sides.size())};
    index n = 1;
    for (index const side : sides) {
        if (side < 1 || side > most_elements / n)
            return Error{Code::unsupported,
                         fmt::format("an image of {} elements; give 1 to {} in all",
                                     fmt::join(sides, "x"), most_elements)};
        n *= side;
    }
    return {};
}

Status check_memory(std::vector<index> const& sides, std::uint64_t most_bytes) {
    std::uint64_t const bytes = static_cast<std::uint64_t>(count(sides)) * sizeof(float);
    std::uint64_t const most = std::min(most_bytes, memory_available());
    if (bytes <= most) return {};
    constexpr double million = 1e6;
    return Error{Code::out_of_memory,
                 fmt::format("{} elements take {:.0f} MB as numbers, and {:.0f} MB may be used; "
                             "cut the image, or let more memory be used",
                             fmt::join(sides, "x"), static_cast<double>(bytes) / million,
                             static_cast<double>(most) / million)};
}

}  // namespace volume

Result<Volume> load_volume(std::string const& path, std::uint64_t most_bytes) {
    Result<Volume> v = volume::load(path, most_bytes);
    if (!v && v.error().file.empty()) v.error().file = path;
    return v;
}

}  // namespace sluice
