// What libhdf5 says of a file, line by line as Walk says it: the twin our reader is compared with.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/hdf5/object/test_walk.h"
#include "format/hdf5/test_files.h"

namespace sluice::hdf5::object::test {

using namespace sluice::hdf5::test;

class Twin {
  public:
    std::vector<std::string> lines = {};

    void object(hid_t o, std::string const& path, int depth = 0) {
        attributes(o, path);
        H5I_type_t const kind = H5Iget_type(o);
        if (kind == H5I_DATASET) return dataset(o, path);
        if (kind != H5I_GROUP || depth > 100 || !seen_.insert(address_of(o)).second) return;
        std::vector<std::string> names;
        H5Literate(o, H5_INDEX_NAME, H5_ITER_INC, nullptr, add_name, &names);
        lines.push_back(fmt::format("{} group of {}", path, names.size()));
        for (std::string const& name : names) {
            Handle const child(H5Oopen(o, name.c_str(), H5P_DEFAULT), H5Oclose);
            if (child)
                object(child.id(), path + "/" + name, depth + 1);
            else
                lines.push_back(path + "/" + name + " fails");
        }
    }

  private:
    static haddr_t address_of(hid_t o) {
        H5O_info_t info;
        EXPECT_GE(H5Oget_info2(o, &info, H5O_INFO_BASIC), 0);
        return info.addr;
    }
    static herr_t add_name(hid_t, char const* name, H5L_info_t const*, void* to) {
        static_cast<std::vector<std::string>*>(to)->push_back(name);
        return 0;
    }
    static std::vector<hsize_t> extent_of(hid_t space) {
        std::vector<hsize_t> n(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space)));
        if (!n.empty()) H5Sget_simple_extent_dims(space, n.data(), nullptr);
        return n;
    }

    /// `read` is H5Dread or H5Aread with all but the types and memory filled in.
    template <class Read>
    static std::string values(hid_t type, hid_t space, Read read) {
        hssize_t const n = H5Sget_simple_extent_npoints(space);
        H5T_class_t const kind = H5Tget_class(type);
        if (n < 1 || n > 64) return {};
        auto const count = static_cast<std::size_t>(n);
        std::string out;
        if (kind == H5T_INTEGER || kind == H5T_FLOAT) {
            std::vector<double> v(count);
            EXPECT_GE(read(H5T_NATIVE_DOUBLE, v.data()), 0);
            for (double x : v) out += fmt::format(" {}", x);
        } else if (H5Tis_variable_str(type) > 0) {
            std::vector<char*> v(count);
            EXPECT_GE(read(type, v.data()), 0);
            for (std::size_t i = 0; i < count; ++i)
                out += (i == 0 ? " " : "|") + std::string(v[i] == nullptr ? "" : v[i]);
            H5Dvlen_reclaim(type, space, H5P_DEFAULT, v.data());
        } else if (kind == H5T_STRING) {
            std::size_t const size = H5Tget_size(type);
            std::vector<char> v(count * size);
            EXPECT_GE(read(type, v.data()), 0);
            for (std::size_t i = 0; i < count; ++i)
                out +=
                    (i == 0 ? " " : "|") + std::string(&v[i * size], strnlen(&v[i * size], size));
        }
        return out;
    }

    void attributes(hid_t o, std::string const& path) {
        auto const each = [](hid_t, char const* name, H5A_info_t const*, void* to) -> herr_t {
            static_cast<std::vector<std::string>*>(to)->push_back(name);
            return 0;
        };
        std::vector<std::string> names;
        hsize_t at = 0;
        H5Aiterate2(o, H5_INDEX_NAME, H5_ITER_INC, &at, each, &names);
        for (std::string const& name : names) {
            Handle const a(H5Aopen(o, name.c_str(), H5P_DEFAULT), H5Aclose);
            Handle const type(H5Aget_type(a.id()), H5Tclose), space(H5Aget_space(a.id()), H5Sclose);
            auto const read = [&](hid_t t, void* to) { return H5Aread(a.id(), t, to); };
            lines.push_back(fmt::format("{}@{} [{}]{}", path, name,
                                        fmt::join(extent_of(space.id()), "x"),
                                        values(type.id(), space.id(), read)));
        }
    }

    void dataset(hid_t o, std::string const& path) {
        Handle const type(H5Dget_type(o), H5Tclose), space(H5Dget_space(o), H5Sclose);
        Handle const create(H5Dget_create_plist(o), H5Pclose);
        auto const extent = extent_of(space.id());
        std::vector<hsize_t> chunk;
        H5D_layout_t const layout = H5Pget_layout(create.id());
        if (layout == H5D_CHUNKED) {
            chunk.resize(extent.size());
            H5Pget_chunk(create.id(), static_cast<int>(chunk.size()), chunk.data());
        }
        std::string line = fmt::format("{} dataset [{}] chunk [{}]", path, fmt::join(extent, "x"),
                                       fmt::join(chunk, "x"));
        if (layout == H5D_VIRTUAL) {
            std::size_t n = 0;
            H5Pget_virtual_count(create.id(), &n);
            line += fmt::format(" {} mappings", n);
        } else {
            line += values(type.id(), space.id(), [&](hid_t t, void* to) {
                return H5Dread(o, t, H5S_ALL, H5S_ALL, H5P_DEFAULT, to);
            });
        }
        lines.push_back(line);
    }

    std::set<haddr_t> seen_;
};

}  // namespace sluice::hdf5::object::test
