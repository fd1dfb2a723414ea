// Files that hold a bit of everything, written by libhdf5 for any range of its versions.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/hdf5/test_files.h"

namespace sluice::hdf5::object::test {

using namespace sluice::hdf5::test;

struct Writing {
    char const* name;
    H5F_libver_t low, high;
    hsize_t user_block = 0;
    bool shared = false;          ///< types and shapes in the file's heap of shared messages
    unsigned address_bytes = 8;   ///< of the file
    bool creation_order = false;  ///< of links and attributes
};

inline void PrintTo(Writing const& w, std::ostream* out) {
    *out << w.name;
}

class Master {
  public:
    Master(std::string const& path, Writing const& w) : w_(w) {
        Handle const access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
        Handle const create(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
        H5Pset_userblock(create.id(), w.user_block);
        H5Pset_sizes(create.id(), w.address_bytes, w.address_bytes);
        H5Pset_libver_bounds(access.id(), w.low, w.high);
        if (w.shared) {
            H5Pset_shared_mesg_nindexes(create.id(), 1);
            H5Pset_shared_mesg_index(create.id(), 0, H5O_SHMESG_ALL_FLAG, 16);
        }
        file_ = Handle(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, create.id(), access.id()), H5Fclose);
        EXPECT_TRUE(bool(file_));
    }

    hid_t id() const { return file_.id(); }

    Handle group(std::string const& path) {
        Handle const create(H5Pcreate(H5P_GROUP_CREATE), H5Pclose);
        if (w_.creation_order) {
            H5Pset_link_creation_order(create.id(), H5P_CRT_ORDER_TRACKED);
            H5Pset_attr_creation_order(create.id(), H5P_CRT_ORDER_TRACKED);
        }
        return {H5Gcreate2(id(), path.c_str(), H5P_DEFAULT, create.id(), H5P_DEFAULT), H5Gclose};
    }

    template <class T>
    void attribute(hid_t o, std::string const& name, hid_t type, hid_t memory,
                   std::vector<T> const& v) {
        hsize_t const n = v.size();
        Handle const space(H5Screate_simple(1, &n, nullptr), H5Sclose);
        Handle const a(H5Acreate2(o, name.c_str(), type, space.id(), H5P_DEFAULT, H5P_DEFAULT),
                       H5Aclose);
        EXPECT_GE(H5Awrite(a.id(), memory, v.data()), 0) << name;
    }

    /// Numbers -3 .. in every type that has a name, and in odd ones.
    void numbers(std::string const& group) {
        hid_t const types[] = {H5T_STD_I8LE,   H5T_STD_U8BE,   H5T_STD_I16LE,  H5T_STD_U16BE,
                               H5T_STD_I32BE,  H5T_STD_U32LE,  H5T_STD_I64BE,  H5T_STD_U64LE,
                               H5T_IEEE_F32LE, H5T_IEEE_F32BE, H5T_IEEE_F64LE, H5T_IEEE_F64BE};
        int number = 0;
        for (hid_t const t : types) number_in(group, number++, t);
        // 12 bits at bit 2 of 16, with a sign.
        Handle const odd(H5Tcopy(H5T_STD_I16BE), H5Tclose);
        H5Tset_precision(odd.id(), 12);
        H5Tset_offset(odd.id(), 2);
        number_in(group, number++, odd.id());
        Handle const half(H5Tcopy(H5T_IEEE_F32BE), H5Tclose);
        H5Tset_fields(half.id(), 15, 10, 5, 0, 10);
        H5Tset_precision(half.id(), 16);
        H5Tset_ebias(half.id(), 15);
        H5Tset_size(half.id(), 2);
        number_in(group, number++, half.id());
    }

    void texts(std::string const& group) {
        Handle const g(H5Oopen(id(), group.c_str(), H5P_DEFAULT), H5Oclose);
        Handle const fixed(H5Tcopy(H5T_C_S1), H5Tclose), any(H5Tcopy(H5T_C_S1), H5Tclose);
        H5Tset_size(fixed.id(), 7);
        H5Tset_strpad(fixed.id(), H5T_STR_NULLPAD);
        H5Tset_size(any.id(), H5T_VARIABLE);
        std::string const bytes("counts\0seven77\0\0\0\0\0\0\0", 21);
        std::vector<char> const chars(bytes.begin(), bytes.end());
        std::vector<char const*> const many{"a", "", "a longer text of any length"};
        hsize_t const three = 3;
        Handle const space(H5Screate_simple(1, &three, nullptr), H5Sclose);
        Handle const a(
            H5Acreate2(g.id(), "fixed", fixed.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT),
            H5Aclose);
        EXPECT_GE(H5Awrite(a.id(), fixed.id(), chars.data()), 0);
        attribute(g.id(), "any", any.id(), any.id(), many);
        Handle const d = make_dataset(id(), group + "/any", {.extent = {3}, .type = any.id()});
        write_all(d, any.id(), many);
        Handle const f = make_dataset(id(), group + "/fixed", {.extent = {3}, .type = fixed.id()});
        write_all(f, fixed.id(), chars);
    }

    void layouts(std::string const& group) {
        auto const all = frames<std::uint16_t>(1, 35);
        auto const put = [&](char const* name, Spec const& spec) {
            Handle const d = make_dataset(id(), group + "/" + name, spec);
            write_all(d, H5T_NATIVE_UINT16, all);
        };
        constexpr hsize_t any = H5S_UNLIMITED;
        put("contiguous", {.extent = {5, 7}});
        put("fixed", {.extent = {5, 7}, .chunk = {2, 3}});
        put("single", {.extent = {5, 7}, .chunk = {5, 7}});
        put("early", {.extent = {5, 7}, .chunk = {2, 3}, .early = true});
        put("growing", {.extent = {5, 7}, .chunk = {2, 3}, .max = {any, 7}});
        put("both", {.extent = {5, 7}, .chunk = {2, 3}, .max = {any, any}});
        put("shuffled", {.extent = {5, 7},
                         .chunk = {2, 4},
                         .filter = filter_bitshuffle,
                         .values = {0, 4, 2, 0, 2}});
        make_dataset(id(), group + "/never", {.extent = {5}});
        make_dataset(id(), group + "/nothing", {.extent = {0}, .chunk = {2}, .max = {4}});
        Handle const create(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
        std::int32_t const seven = -7;
        H5Pset_fill_value(create.id(), H5T_NATIVE_INT32, &seven);
        hsize_t const four = 4;
        Handle const space(H5Screate_simple(1, &four, nullptr), H5Sclose);
        Handle const fill(H5Dcreate2(id(), (group + "/fill").c_str(), H5T_STD_I32BE, space.id(),
                                     H5P_DEFAULT, create.id(), H5P_DEFAULT),
                          H5Dclose);
        H5Pset_layout(create.id(), H5D_COMPACT);
        Handle const compact(H5Dcreate2(id(), (group + "/compact").c_str(), H5T_STD_I32BE,
                                        space.id(), H5P_DEFAULT, create.id(), H5P_DEFAULT),
                             H5Dclose);
        write_all(compact, H5T_NATIVE_INT32, std::vector<std::int32_t>{1, -2, 3, -4});
    }

    void links(std::string const& group, int many) {
        Handle const g = this->group(group);
        for (int i = 0; i < many; ++i)
            H5Lcreate_hard(id(), "/numbers/0", g.id(), fmt_name(i).c_str(), H5P_DEFAULT,
                           H5P_DEFAULT);
        H5Lcreate_soft("/numbers/1", g.id(), "soft", H5P_DEFAULT, H5P_DEFAULT);
        H5Lcreate_soft("../none", g.id(), "dangling", H5P_DEFAULT, H5P_DEFAULT);
        H5Lcreate_soft("ring b", g.id(), "ring a", H5P_DEFAULT, H5P_DEFAULT);
        H5Lcreate_soft("ring a", g.id(), "ring b", H5P_DEFAULT, H5P_DEFAULT);
        H5Lcreate_external("other.h5", "/there/x", g.id(), "external", H5P_DEFAULT, H5P_DEFAULT);
        H5Lcreate_external("no.h5", "/x", g.id(), "missing", H5P_DEFAULT, H5P_DEFAULT);
        H5Lcreate_hard(id(), "/", g.id(), "to the root", H5P_DEFAULT, H5P_DEFAULT);
    }

    void attributes(std::string const& group, int many, bool large) {
        Handle const g = this->group(group);
        for (int i = 0; i < many; ++i)
            attribute(g.id(), fmt_name(i), H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE,
                      std::vector<double>{i + 0.5, -i + 0.0});
        std::vector<double> const mid(600, 1.5), big(20000, 2.5);
        attribute(g.id(), "mid", H5T_IEEE_F64BE, H5T_NATIVE_DOUBLE, mid);
        if (large) attribute(g.id(), "big", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, big);
    }

    void named_type(std::string const& group) {
        Handle const g = this->group(group);
        Handle const type(H5Tcopy(H5T_STD_I16LE), H5Tclose);
        H5Tcommit2(g.id(), "type", type.id(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        attribute(g.id(), "of it", type.id(), H5T_NATIVE_INT, std::vector<int>{-1, 2});
        Handle const d = make_dataset(id(), group + "/of it", {.extent = {2}, .type = type.id()});
        write_all(d, H5T_NATIVE_INT, std::vector<int>{-3, 4});
        Handle const pair(H5Tcreate(H5T_COMPOUND, 12), H5Tclose);
        H5Tinsert(pair.id(), "a", 0, H5T_STD_I32LE);
        H5Tinsert(pair.id(), "b", 4, H5T_IEEE_F64LE);
        make_dataset(id(), group + "/pairs", {.extent = {2}, .type = pair.id()});
        hsize_t const three = 3;
        Handle const array(H5Tarray_create2(H5T_STD_I32LE, 1, &three), H5Tclose);
        make_dataset(id(), group + "/arrays", {.extent = {2}, .type = array.id()});
    }

    void deep(std::string path, int levels) {
        for (int i = 0; i < levels; ++i) {
            path += "/g";
            group(path);
        }
        put_number(id(), path + "/end", 1);
    }

    void mapped(std::string const& path) {
        hsize_t const extent[] = {6, 2, 2}, source[] = {2, 2, 2};
        Handle const space(H5Screate_simple(3, extent, nullptr), H5Sclose);
        Handle const there(H5Screate_simple(3, source, nullptr), H5Sclose);
        Handle const create(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
        for (hsize_t i = 0; i < 3; ++i) {
            hsize_t const start[] = {i, 0, 0}, stride[] = {3, 1, 1}, count[] = {2, 2, 2};
            H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, start, stride, count, nullptr);
            H5Pset_virtual(create.id(), space.id(), i == 0 ? "." : "other.h5", "/v", there.id());
        }
        Handle const d(H5Dcreate2(id(), path.c_str(), H5T_STD_U16LE, space.id(), H5P_DEFAULT,
                                  create.id(), H5P_DEFAULT),
                       H5Dclose);
        EXPECT_TRUE(bool(d));
    }

  private:
    static std::string fmt_name(int i) { return "name " + std::to_string(i); }

    void number_in(std::string const& group, int number, hid_t type) {
        std::string const name = std::to_string(number);
        bool const sign = H5Tget_class(type) == H5T_FLOAT || H5Tget_sign(type) == H5T_SGN_2;
        std::vector<double> const v{sign ? -3.0 : 3.0, 0, 1, 100};
        Handle const d = make_dataset(id(), group + "/" + name, {.extent = {4}, .type = type});
        write_all(d, H5T_NATIVE_DOUBLE, v);
        Handle const g(H5Oopen(id(), group.c_str(), H5P_DEFAULT), H5Oclose);
        attribute(g.id(), name, type, H5T_NATIVE_DOUBLE, v);
    }

    Writing w_;
    Handle file_;
};

/// A file with all of that; `size` 1 is the smallest, for tests that damage every byte.
inline void write_everything(std::string const& path, Writing const& w, int size) {
    LibraryLock lock;
    register_filters();
    Master m(path, w);
    m.group("/numbers");
    m.numbers("/numbers");
    m.group("/texts");
    m.texts("/texts");
    m.layouts("/layouts");
    m.links("/links", 2);
    m.links("/dense links", 12 * size);
    m.attributes("/attributes", 2, false);
    m.attributes("/dense attributes", 12 * size, w.low > H5F_LIBVER_EARLIEST && size > 1);
    m.named_type("/named");
    m.deep("", 3 * size);
    if (w.address_bytes == 8 && w.high > H5F_LIBVER_V18) m.mapped("/mapped");
}

}  // namespace sluice::hdf5::object::test
