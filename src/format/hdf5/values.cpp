// Small datasets and attributes: numbers, strings, masks.
// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "format/hdf5/library.h"

namespace sluice::hdf5 {
namespace {

// What a person may have written as metadata; a file that says more is not asked for it.
constexpr hssize_t most_values = 64;
constexpr std::size_t longest_text = std::size_t{1} << 16;

bool numeric(hid_t type) {
    H5T_class_t const c = H5Tget_class(type);
    return c == H5T_INTEGER || c == H5T_FLOAT;
}

/// The elements of a small numeric dataset, or none.
template <class T>
std::vector<T> numbers(hid_t at, std::string const& path, hid_t memory) {
    Handle const d = open_object(at, path);
    if (!is_dataset(d)) return {};
    Handle const type(H5Dget_type(d.id()), H5Tclose), space(H5Dget_space(d.id()), H5Sclose);
    hssize_t const n = H5Sget_simple_extent_npoints(space.id());
    if (!numeric(type.id()) || n < 1 || n > most_values) return {};
    std::vector<T> v(static_cast<std::size_t>(n));
    if (H5Dread(d.id(), memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, v.data()) < 0) return {};
    return v;
}

/// Strings of a dataset or attribute; `read` is H5Dread or H5Aread with all but the memory filled
/// in.
template <class Read>
std::vector<std::string> texts(Handle const& type, Handle const& space, Read read) {
    hssize_t const n = H5Sget_simple_extent_npoints(space.id());
    std::size_t const size = H5Tget_size(type.id());
    if (H5Tget_class(type.id()) != H5T_STRING || n < 1 || n > most_values || size == 0 ||
        size > longest_text)
        return {};
    auto const count = static_cast<std::size_t>(n);
    std::vector<std::string> out;
    if (H5Tis_variable_str(type.id()) > 0) {
        std::vector<char*> p(count);
        if (read(p.data()) < 0) return {};
        for (char const* s : p) out.emplace_back(s ? s : "");
        H5Dvlen_reclaim(type.id(), space.id(), H5P_DEFAULT, p.data());
    } else {
        std::vector<char> bytes(count * size);
        if (read(bytes.data()) < 0) return {};
        for (std::size_t i = 0; i < count; ++i)
            out.emplace_back(bytes.data() + i * size, strnlen(bytes.data() + i * size, size));
    }
    for (std::string& s : out) s.erase(s.find_last_not_of(' ') + 1);
    return out;
}

}  // namespace

std::optional<double> read_number(hid_t at, std::string const& path) {
    auto const v = numbers<double>(at, path, H5T_NATIVE_DOUBLE);
    return v.size() == 1 ? std::optional(v[0]) : std::nullopt;
}

std::optional<std::uint64_t> read_count(hid_t at, std::string const& path) {
    auto const real = read_number(at, path);
    if (!real || *real < 0) return {};
    auto const v = numbers<std::uint64_t>(at, path, H5T_NATIVE_UINT64);
    return v.size() == 1 ? std::optional(v[0]) : std::nullopt;
}

std::vector<std::string> read_texts(hid_t at, std::string const& path) {
    Handle const d = open_object(at, path);
    if (!is_dataset(d)) return {};
    Handle const type(H5Dget_type(d.id()), H5Tclose), space(H5Dget_space(d.id()), H5Sclose);
    return texts(type, space, [&](void* to) {
        return H5Dread(d.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, to);
    });
}

std::optional<std::string> read_text(hid_t at, std::string const& path) {
    auto texts = read_texts(at, path);
    return texts.empty() ? std::nullopt : std::optional(std::move(texts.front()));
}

std::optional<std::vector<std::uint32_t>> read_image(hid_t at, std::string const& path, index rows,
                                                     index cols) {
    Handle const d = open_object(at, path);
    if (!is_dataset(d) || rows <= 0 || cols <= 0) return {};
    std::vector<std::uint64_t> const want{static_cast<std::uint64_t>(rows),
                                          static_cast<std::uint64_t>(cols)};
    Handle const type(H5Dget_type(d.id()), H5Tclose);
    if (extent_of(d) != want || !numeric(type.id())) return {};
    // No filter of libhdf5 packs tighter than deflate's 1:1032.
    if (static_cast<std::uint64_t>(rows * cols) / 300 > H5Dget_storage_size(d.id()) + 1) return {};
    std::vector<std::uint32_t> v(static_cast<std::size_t>(rows * cols));
    if (H5Dread(d.id(), H5T_NATIVE_UINT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, v.data()) < 0) return {};
    return v;
}

std::vector<double> attribute_numbers(hid_t object, std::string const& name) {
    if (H5Aexists(object, name.c_str()) <= 0) return {};
    Handle const a(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose);
    Handle const type(H5Aget_type(a.id()), H5Tclose), space(H5Aget_space(a.id()), H5Sclose);
    hssize_t const n = H5Sget_simple_extent_npoints(space.id());
    if (!a || !numeric(type.id()) || n < 1 || n > most_values) return {};
    std::vector<double> v(static_cast<std::size_t>(n));
    if (H5Aread(a.id(), H5T_NATIVE_DOUBLE, v.data()) < 0) return {};
    return v;
}

std::optional<double> attribute_number(hid_t object, std::string const& name) {
    auto const v = attribute_numbers(object, name);
    return v.size() == 1 ? std::optional(v[0]) : std::nullopt;
}

std::vector<std::string> attribute_texts(hid_t object, std::string const& name) {
    if (H5Aexists(object, name.c_str()) <= 0) return {};
    Handle const a(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose);
    Handle const type(H5Aget_type(a.id()), H5Tclose), space(H5Aget_space(a.id()), H5Sclose);
    return texts(type, space, [&](void* to) { return H5Aread(a.id(), type.id(), to); });
}

std::optional<std::string> attribute_text(hid_t object, std::string const& name) {
    auto found = attribute_texts(object, name);
    return found.size() == 1 ? std::optional(std::move(found[0])) : std::nullopt;
}

}  // namespace sluice::hdf5
