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

/// Where the fields of a float are: (sign, exponent, exponent bits, fraction, fraction bits, bias).
bool ieee(hid_t type, std::size_t size) {
    std::size_t sign = 0, exponent = 0, exponent_bits = 0, fraction = 0, fraction_bits = 0;
    H5Tget_fields(type, &sign, &exponent, &exponent_bits, &fraction, &fraction_bits);
    std::size_t const bits = size == 2 ? 10 : size == 4 ? 23 : 52;
    return fraction == 0 && fraction_bits == bits && exponent == bits &&
           exponent_bits == 8 * size - 1 - bits && sign == 8 * size - 1 &&
           H5Tget_ebias(type) == (std::size_t{1} << (exponent_bits - 1)) - 1 &&
           H5Tget_norm(type) == H5T_NORM_IMPLIED;
}

/// Whether an enumeration is a boolean as h5py writes it.
bool boolean(hid_t type) {
    if (H5Tget_nmembers(type) != 2) return false;
    std::string names;
    for (unsigned i = 0; i < 2; ++i) {
        char* const name = H5Tget_member_name(type, i);
        names += name != nullptr ? name : "";
        H5free_memory(name);
    }
    return names == "FALSETRUE";
}

/// What a number type is, or why it is not read.
Result<StoredType> element_type(hid_t type) {
    auto const wrong = [](std::string why) { return Error{Code::unsupported, std::move(why)}; };
    H5T_class_t const kind = H5Tget_class(type);
    if (kind == H5T_ENUM) {
        Handle const base(H5Tget_super(type), H5Tclose);
        SLUICE_TRY(StoredType t, element_type(base.id()));
        if (boolean(type)) t.kind = StoredType::Kind::unsigned_int;
        return t;
    }
    if (kind == H5T_COMPOUND)
        return wrong(
            "holds records, such as complex numbers; save their parts, or one field, as a "
            "dataset of its own");
    bool const whole = kind == H5T_INTEGER;
    std::size_t const size = H5Tget_size(type);
    bool const sized = size == 1 || size == 2 || size == 4 || size == 8;
    if ((!whole && kind != H5T_FLOAT) || !sized || (!whole && size == 1))
        return wrong("holds no integers of 1, 2, 4 or 8 bytes and no floats of 2, 4 or 8");
    H5T_order_t const order = H5Tget_order(type);
    if (order != H5T_ORDER_LE && order != H5T_ORDER_BE)
        return wrong("holds numbers in an order of bytes that is neither little nor big-endian");
    if (whole ? H5Tget_precision(type) != 8 * size || H5Tget_offset(type) != 0 : !ieee(type, size))
        return wrong(fmt::format("holds numbers of {} bits in {} bytes; convert it to a usual type",
                                 H5Tget_precision(type), size));
    StoredType t;
    t.kind = !whole                           ? StoredType::Kind::floating
             : H5Tget_sign(type) == H5T_SGN_2 ? StoredType::Kind::signed_int
                                              : StoredType::Kind::unsigned_int;
    t.bytes = static_cast<int>(size);
    t.big_endian = size > 1 && order == H5T_ORDER_BE;
    return t;
}

std::vector<std::byte> fill_of(hid_t create, hid_t type, std::size_t bytes) {
    H5D_fill_value_t defined = H5D_FILL_VALUE_UNDEFINED;
    if (H5Pfill_value_defined(create, &defined) < 0 || defined != H5D_FILL_VALUE_USER_DEFINED)
        return {};
    std::vector<std::byte> value(bytes);
    if (H5Pget_fill_value(create, type, value.data()) < 0) return {};
    bool const zero = std::ranges::all_of(value, [](std::byte b) { return b == std::byte{}; });
    return zero ? std::vector<std::byte>{} : value;
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
        out.push_back({id, name, {values, values + count}});
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

Status read_shape(StoredDataset& d, std::size_t least_rank) {
    Handle const space(H5Dget_space(d.handle.id()), H5Sclose);
    d.extent = extent_of(d.handle);
    if (d.rank() < least_rank)
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
    std::uint64_t const rows = d.rank() < 2 ? 1 : d.extent[d.rank() - 2];
    std::uint64_t const cols = d.extent[d.rank() - 1];
    if (rows == 0 || cols == 0 || rows > most_frame_pixels / cols || frames > most_frames)
        return Error{Code::unsupported,
                     fmt::format("the dataset {} has the shape {} (frames have 1 to 2^28 pixels)",
                                 d.path, shape_text(d.extent)),
                     d.file};
    return {};
}

template <class Get>
std::string name_by(hid_t create, std::size_t i, Get get) {
    ssize_t const n = get(create, i, nullptr, 0);
    std::string name(static_cast<std::size_t>(std::max<ssize_t>(n, 0)), '\0');
    if (n > 0) get(create, i, name.data(), name.size() + 1);
    return name;
}

/// A regular selection; nothing for any other.
std::optional<Slab> slab_of(Handle const& space) {
    int const rank = space ? H5Sget_simple_extent_ndims(space.id()) : -1;
    if (rank < 0) return {};
    std::vector<hsize_t> start(static_cast<std::size_t>(rank)), stride(start), count(start),
        block(start);
    if (H5Sget_select_type(space.id()) == H5S_SEL_ALL) {
        if (rank > 0) H5Sget_simple_extent_dims(space.id(), block.data(), nullptr);
        stride = block;
        count.assign(count.size(), 1);
    } else if (H5Sget_select_type(space.id()) != H5S_SEL_HYPERSLABS ||
               H5Sis_regular_hyperslab(space.id()) <= 0 ||
               H5Sget_regular_hyperslab(space.id(), start.data(), stride.data(), count.data(),
                                        block.data()) < 0) {
        return {};
    }
    auto const sides = [](std::vector<hsize_t> const& v) {
        return std::vector<std::uint64_t>(v.begin(), v.end());
    };
    return Slab{sides(start), sides(stride), sides(count), sides(block)};
}

void read_mappings(hid_t create, StoredDataset& d) {
    std::size_t n = 0;
    if (H5Pget_virtual_count(create, &n) < 0) d.odd_mapping = "libhdf5 does not hand them over";
    for (std::size_t i = 0; i < n && d.odd_mapping.empty(); ++i) {
        Handle const here(H5Pget_virtual_vspace(create, i), H5Sclose);
        Handle const there(H5Pget_virtual_srcspace(create, i), H5Sclose);
        auto a = slab_of(here), b = slab_of(there);
        VirtualMapping m{name_by(create, i, H5Pget_virtual_filename),
                         name_by(create, i, H5Pget_virtual_dsetname),
                         {},
                         {}};
        if (!a || !b) d.odd_mapping = "a selection is no regular pattern of blocks";
        // "%b" numbers files or datasets by block.
        if ((m.file + m.path).find('%') != std::string::npos)
            d.odd_mapping = "the names of its sources are a pattern, " + m.file + " " + m.path;
        if (!d.odd_mapping.empty()) return;
        m.here = std::move(*a);
        m.there = std::move(*b);
        d.mappings.push_back(std::move(m));
    }
}

/// At most 64 KiB stand in the header itself.
Status read_compact(StoredDataset& d, hid_t type) {
    hsize_t const bytes = H5Dget_storage_size(d.handle.id());
    constexpr std::uint64_t most = 1 << 16;
    std::uint64_t values = d.element_bytes();
    for (std::uint64_t n : d.extent) values = n > most ? most + 1 : std::min(values * n, most + 1);
    if (bytes > most || values != bytes)
        return Error{Code::corrupt, "the dataset " + d.path + " is longer than its header allows",
                     d.file};
    d.compact.resize(static_cast<std::size_t>(bytes));
    if (H5Dread(d.handle.id(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, d.compact.data()) < 0)
        return Error{Code::corrupt, "the dataset " + d.path + " is not readable", d.file};
    return {};
}

Status read_storage(StoredDataset& d) {
    Handle const create(H5Dget_create_plist(d.handle.id()), H5Pclose);
    H5D_layout_t const layout = H5Pget_layout(create.id());
    d.storage = Storage::contiguous;
    if (layout == H5D_COMPACT) d.storage = Storage::compact;
    if (layout == H5D_VIRTUAL) {
        d.storage = Storage::mapped;
        read_mappings(create.id(), d);
    }
    d.external = H5Pget_external_count(create.id()) > 0;
    if (layout == H5D_CONTIGUOUS && !d.external)
        if (haddr_t const at = H5Dget_offset(d.handle.id()); at != HADDR_UNDEF) d.offset = at;
    if (layout == H5D_CHUNKED) {
        d.storage = Storage::chunked;
        std::vector<hsize_t> chunk(d.rank());
        H5Pget_chunk(create.id(), static_cast<int>(chunk.size()), chunk.data());
        d.chunk.assign(chunk.begin(), chunk.end());
        unsigned options = 0;
        if (H5Pget_chunk_opts(create.id(), &options) >= 0)
            d.plain_edges = (options & H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS) != 0;
    }
    Handle const type(H5Dget_type(d.handle.id()), H5Tclose);
    d.fill = fill_of(create.id(), type.id(), d.element_bytes());
    if (layout == H5D_COMPACT) SLUICE_CHECK(read_compact(d, type.id()));
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

std::vector<std::byte> StoredDataset::read_fill() const {
    if (fill.empty()) return {};
    std::vector<std::byte> value(static_cast<std::size_t>(size_of(dtype)));
    convert_values(element, fill, value.data());
    return value;
}

Result<StoredDataset> describe(hid_t file, std::string const& path, std::size_t least_rank) {
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
        return Error{Code::unsupported,
                     fmt::format("the dataset {} {}", path, element.error().message), d.file};
    d.element = *element;
    d.dtype = read_as(d.element);
    d.exact = as_stored(d.element);
    d.stored_type = name_of(d.element);
    SLUICE_CHECK(read_shape(d, least_rank));
    SLUICE_CHECK(read_storage(d));
    return d;
}

Result<StoredDataset> describe(std::string const& file, std::string const& path,
                               std::size_t least_rank) {
    LibraryLock lock;
    SLUICE_TRY(Handle const handle, open_file(file));
    return describe(handle.id(), path, least_rank);
}

}  // namespace sluice::hdf5
