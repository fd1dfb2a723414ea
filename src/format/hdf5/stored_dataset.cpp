// Describing a dataset of frames.
// SPDX-License-Identifier: Apache-2.0
#include "format/hdf5/stored_dataset.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace sluice::hdf5 {

hid_t little_endian(DType t) {
    switch (t) {
        case DType::u8:
            return H5T_STD_U8LE;
        case DType::u16:
            return H5T_STD_U16LE;
        case DType::u32:
            return H5T_STD_U32LE;
        case DType::f32:
            return H5T_IEEE_F32LE;
    }
    return -1;
}

namespace {

constexpr std::uint64_t most_frame_pixels = std::uint64_t{1} << 28;
constexpr std::uint64_t most_frames = std::uint64_t{1} << 40;

struct ElementType {
    DType dtype;
    bool exact;
    std::string name;
};

std::optional<ElementType> element_type(hid_t type) {
    H5T_class_t const kind = H5Tget_class(type);
    std::size_t const size = H5Tget_size(type);
    bool const whole = kind == H5T_INTEGER;
    if ((!whole && kind != H5T_FLOAT) || size == 0 || size > 8) return {};
    bool const sign = whole && H5Tget_sign(type) == H5T_SGN_2;
    ElementType e{DType::f32, false, {}};
    if (whole && !sign) e.dtype = size == 1 ? DType::u8 : size == 2 ? DType::u16 : DType::u32;
    e.exact = H5Tequal(type, little_endian(e.dtype)) > 0;
    bool const big = size > 1 && H5Tget_order(type) == H5T_ORDER_BE;
    e.name = fmt::format("{}{}{}", big ? "big-endian " : "",
                         whole ? (sign ? "int" : "uint") : "float", 8 * size);
    return e;
}

std::vector<Filter> filters_of(hid_t create) {
    std::vector<Filter> out;
    int const n = H5Pget_nfilters(create);
    for (unsigned i = 0; n > 0 && i < static_cast<unsigned>(n); ++i) {
        unsigned flags = 0, config = 0, values[32] = {};
        std::size_t count = std::size(values);
        char name[256] = {};
        H5Z_filter_t const id =
            H5Pget_filter2(create, i, &flags, &count, values, sizeof name - 1, name, &config);
        count = std::min(count, std::size(values));
        out.push_back({id, name, {values, values + count}, id > 0 && H5Zfilter_avail(id) > 0});
    }
    return out;
}

std::string file_of(hid_t object) {
    ssize_t const n = H5Fget_name(object, nullptr, 0);
    std::string name(static_cast<std::size_t>(std::max<ssize_t>(n, 0)), '\0');
    if (n > 0) H5Fget_name(object, name.data(), name.size() + 1);
    return name;
}

std::string name_of_object(hid_t object) {
    ssize_t const n = H5Iget_name(object, nullptr, 0);
    std::string name(static_cast<std::size_t>(std::max<ssize_t>(n, 0)), '\0');
    if (n > 0) H5Iget_name(object, name.data(), name.size() + 1);
    return name;
}

Status read_shape(StoredDataset& d) {
    Handle const space(H5Dget_space(d.handle.id()), H5Sclose);
    d.extent = extent_of(d.handle);
    if (d.rank() < 3)
        return Error{Code::unsupported,
                     fmt::format("the dataset {} has the shape {} (frames need 3 or 4 dimensions)",
                                 d.path, shape_text(d.extent)),
                     d.file};
    std::vector<hsize_t> max(d.rank());
    H5Sget_simple_extent_dims(space.id(), nullptr, max.data());
    d.max.assign(max.begin(), max.end());
    std::uint64_t frames = 1;
    for (std::size_t i = 0; i + 2 < d.rank(); ++i)
        frames = d.extent[i] == 0 || frames <= most_frames / d.extent[i] ? frames * d.extent[i]
                                                                         : most_frames + 1;
    std::uint64_t const rows = d.extent[d.rank() - 2], cols = d.extent[d.rank() - 1];
    if (rows == 0 || cols == 0 || rows > most_frame_pixels / cols || frames > most_frames)
        return Error{Code::unsupported,
                     fmt::format("the dataset {} has the shape {} (frames have 1 to 2^28 pixels)",
                                 d.path, shape_text(d.extent)),
                     d.file};
    return {};
}

Status read_storage(StoredDataset& d) {
    Handle const create(H5Dget_create_plist(d.handle.id()), H5Pclose);
    H5D_layout_t const layout = H5Pget_layout(create.id());
    d.storage = Storage::contiguous;
    if (layout == H5D_COMPACT) d.storage = Storage::compact;
    if (layout == H5D_VIRTUAL) d.storage = Storage::mapped;
    if (layout == H5D_CHUNKED) {
        d.storage = Storage::chunked;
        std::vector<hsize_t> chunk(d.rank());
        H5Pget_chunk(create.id(), static_cast<int>(chunk.size()), chunk.data());
        d.chunk.assign(chunk.begin(), chunk.end());
    }
    d.filters = filters_of(create.id());
    // libhdf5 itself makes no such file, and reading one it runs over the end of its buffer.
    for (std::size_t i = 0; i < d.chunk.size(); ++i)
        if (d.max[i] != H5S_UNLIMITED && d.chunk[i] > d.max[i])
            return Error{Code::corrupt,
                         fmt::format("the dataset {} has chunks of {}, larger than its {}; copy "
                                     "the file again",
                                     d.path, shape_text(d.chunk), shape_text(d.max)),
                         d.file};
    d.header = identity_of(d.handle.id()).second;
    return {};
}

}  // namespace

index StoredDataset::frames() const {
    std::uint64_t n = 1;
    for (std::size_t i = 0; i + 2 < rank(); ++i) n *= extent[i];
    return static_cast<index>(n);
}

bool StoredDataset::frame_chunks() const {
    if (chunk.size() != rank()) return false;
    for (std::size_t i = 0; i + 2 < rank(); ++i)
        if (chunk[i] != 1) return false;
    return chunk[rank() - 2] == extent[rank() - 2] && chunk[rank() - 1] == extent[rank() - 1];
}

std::string shape_text(std::vector<std::uint64_t> const& extent) {
    return extent.empty() ? "scalar" : fmt::format("{}", fmt::join(extent, "x"));
}

std::string filter_names(StoredDataset const& d) {
    std::string text;
    for (Filter const& f : d.filters)
        text += fmt::format("{}{} ({})", text.empty() ? "" : ", ",
                            f.name.empty() ? "filter" : f.name, f.id);
    return text.empty() ? "none" : text;
}

Result<StoredDataset> describe(hid_t file, std::string const& path) {
    LibraryLock lock;
    StoredDataset d;
    d.file = file_of(file);
    d.path = path;
    d.handle = open_object(file, path);
    if (!d.handle && has_link(file, path))
        return Error{Code::unsupported,
                     fmt::format("the dataset {} is not readable ({}); rewrite it with h5repack "
                                 "--low=0 --high=2",
                                 path, unreadable_because()),
                     d.file};
    if (!is_dataset(d.handle))
        return Error{Code::not_found,
                     fmt::format("there is no dataset {}; name another with --dataset PATH", path),
                     d.file};
    // Behind an external link it is another file, and a path in that.
    if (std::string const file_there = file_of(d.handle.id()); file_there != d.file) {
        d.file = file_there;
        d.path = name_of_object(d.handle.id());
    }
    Handle const type(H5Dget_type(d.handle.id()), H5Tclose);
    auto const element = element_type(type.id());
    if (!element)
        return Error{
            Code::unsupported,
            fmt::format("the dataset {} holds no integers or floats of 1 to 8 bytes", path),
            d.file};
    d.dtype = element->dtype;
    d.exact = element->exact;
    d.stored_type = element->name;
    SLUICE_CHECK(read_shape(d));
    SLUICE_CHECK(read_storage(d));
    return d;
}

Result<StoredDataset> describe(std::string const& file, std::string const& path) {
    LibraryLock lock;
    SLUICE_TRY(Handle const handle, open_file(file));
    return describe(handle.id(), path);
}

}  // namespace sluice::hdf5
