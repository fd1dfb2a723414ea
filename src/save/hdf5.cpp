// save_hdf5: datasets and their provenance in one HDF5 file.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <set>

#include "base/file.h"
#include "save/hdf5_library.h"
#include "save/provenance.h"
#include "sluice/save.h"

namespace sluice {
namespace {

using save::Handle;
using save::write_text;

hid_t type_of(Array<float> const&) {
    return H5T_NATIVE_FLOAT;
}
hid_t type_of(Array<double> const&) {
    return H5T_NATIVE_DOUBLE;
}
hid_t type_of(Array<std::uint64_t> const&) {
    return H5T_NATIVE_UINT64;
}

template <class T>
bool write_dataset(hid_t file, std::string const& name, std::string const& unit,
                   Array<T> const& array) {
    std::vector<hsize_t> const extents(array.shape.begin(), array.shape.end());
    Handle const space(extents.empty() ? H5Screate(H5S_SCALAR)
                                       : H5Screate_simple(static_cast<int>(extents.size()),
                                                          extents.data(), nullptr),
                       H5Sclose);
    Handle const links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
    H5Pset_create_intermediate_group(links, 1);
    H5Pset_char_encoding(links, H5T_CSET_UTF8);
    hid_t const type = type_of(array);
    Handle const dataset(
        H5Dcreate2(file, name.c_str(), type, space, links, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
    if (dataset < 0) return false;
    if (array.size() > 0 &&
        H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, array.values.data()) < 0)
        return false;
    return write_text(dataset, "units", unit);
}

Status check_arrays(std::string const& path, std::vector<NamedArray> const& arrays) {
    std::set<std::string> names;
    for (NamedArray const& a : arrays) {
        std::visit(
            [](auto const& array) {
                index n = 1;
                for (index e : array.shape) n *= e;
                expects(n == array.size());
            },
            a.array);
        if (a.name.empty() || a.name.front() == '/' || a.name.back() == '/' ||
            a.name.find('\0') != std::string::npos)
            return Error{Code::invalid_argument,
                         fmt::format("'{}' cannot name a dataset (a name is not empty and neither "
                                     "begins nor ends with '/') give it another",
                                     a.name),
                         path};
        if (!names.insert(a.name).second)
            return Error{
                Code::invalid_argument,
                fmt::format("two datasets are called '{}' (a file has one of each name) rename one",
                            a.name),
                path};
    }
    return {};
}

}  // namespace

Status save_hdf5(std::string const& path, std::vector<NamedArray> const& arrays,
                 Provenance const& provenance) {
    SLUICE_CHECK(check_arrays(path, arrays));
    SLUICE_TRY(NewFile out, NewFile::create(path));
    save::Library const library;
    Error const failed{Code::out_of_memory,
                       "cannot put the HDF5 file together (the library refused) save NPY instead",
                       path};
    // In memory, because after a failed write HDF5 cannot close its file.
    Handle const access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    constexpr std::size_t increment = 1 << 20;
    H5Pset_fapl_core(access, increment, false);
    Handle const file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose);
    if (file < 0) return failed;
    for (NamedArray const& a : arrays) {
        bool const good = std::visit(
            [&](auto const& array) { return write_dataset(file, a.name, a.unit, array); }, a.array);
        if (!good)
            return Error{Code::invalid_argument,
                         fmt::format("cannot add the dataset '{}' (HDF5 refused its name or shape) "
                                     "give it another name",
                                     a.name),
                         path};
    }
    for (auto const& [name, value] : save::tidy(provenance).fields)
        if (!write_text(file, name, value)) return failed;
    void** memory = nullptr;
    if (H5Fflush(file, H5F_SCOPE_GLOBAL) < 0) return failed;
    ssize_t const size = H5Fget_file_image(file, nullptr, 0);
    if (size < 0 || H5Fget_vfd_handle(file, access, reinterpret_cast<void**>(&memory)) < 0)
        return failed;
    auto const* bytes = static_cast<std::byte const*>(*memory);
    SLUICE_CHECK(out.write({bytes, static_cast<std::size_t>(size)}));
    return out.commit();
}

}  // namespace sluice
