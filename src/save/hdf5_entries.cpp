// save_hdf5 of entries: libhdf5 lays the file out, and the elements are written where it says.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "base/file.h"
#include "base/system.h"
#include "save/hdf5_layout.h"
#include "save/hdf5_library.h"
#include "save/hdf5_lists.h"
#include "save/provenance.h"
#include "sluice/save.h"

namespace sluice {
namespace {

using save::Handle;

// What libhdf5 keeps to itself until it closes a file: headers and heaps.
constexpr std::uint64_t unwritten_bytes = 1 << 20;

hid_t complex_of(hid_t part) {
    std::size_t const size = H5Tget_size(part);
    hid_t const type = H5Tcreate(H5T_COMPOUND, 2 * size);
    H5Tinsert(type, "r", 0, part);
    H5Tinsert(type, "i", size, part);
    return type;
}

hid_t stored_type(DType dtype) {
    switch (dtype) {
        case DType::i8:
            return H5Tcopy(H5T_STD_I8LE);
        case DType::u8:
            return H5Tcopy(H5T_STD_U8LE);
        case DType::i16:
            return H5Tcopy(H5T_STD_I16LE);
        case DType::u16:
            return H5Tcopy(H5T_STD_U16LE);
        case DType::i32:
            return H5Tcopy(H5T_STD_I32LE);
        case DType::u32:
            return H5Tcopy(H5T_STD_U32LE);
        case DType::i64:
            return H5Tcopy(H5T_STD_I64LE);
        case DType::u64:
            return H5Tcopy(H5T_STD_U64LE);
        case DType::f32:
            return H5Tcopy(H5T_IEEE_F32LE);
        case DType::f64:
            return H5Tcopy(H5T_IEEE_F64LE);
        case DType::c64:
            return complex_of(H5T_IEEE_F32LE);
        case DType::c128:
            return complex_of(H5T_IEEE_F64LE);
        default:
            return -1;
    }
}

// Takes room on the disk, since libhdf5 does not survive a write that fails.
Status take_room(std::string const& temporary, std::string const& path, std::uint64_t bytes) {
    int const failed = reserve_room(temporary, 0, bytes + unwritten_bytes);
    if (failed == 0) return {};
    return Error{Code::io,
                 fmt::format("writing failed ({}); free some space or choose another folder",
                             std::strerror(failed)),
                 path};
}

std::string const& name_of(Hdf5Entry const& entry) {
    return std::visit([](auto const& e) -> std::string const& { return e.name; }, entry);
}

// One file as it is laid out.
class Layout {
  public:
    Layout(hid_t file, std::string const& path) : file_(file), path_(path) {}

    std::vector<std::uint64_t> offsets = {};  ///< of each entry's elements

    Status add(Hdf5Entry const& entry) {
        bool const good = std::visit([&](auto const& e) { return made(e); }, entry);
        if (unread_) return *std::move(unread_);
        if (good) return {};
        return Error{Code::invalid_argument,
                     fmt::format("cannot add '{}' (HDF5 refused its name, type or shape) give it "
                                 "another name",
                                 name_of(entry)),
                     path_};
    }

  private:
    static hid_t links() {
        hid_t const list = H5Pcreate(H5P_LINK_CREATE);
        H5Pset_create_intermediate_group(list, 1);
        H5Pset_char_encoding(list, H5T_CSET_UTF8);
        return list;
    }

    bool made(Hdf5Dataset const& d) {
        Handle const type(stored_type(d.dtype), H5Tclose), way(links(), H5Pclose);
        if (type < 0) return false;
        std::vector<hsize_t> const sides(d.shape.begin(), d.shape.end());
        Handle const space(
            sides.empty() ? H5Screate(H5S_SCALAR)
                          : H5Screate_simple(static_cast<int>(sides.size()), sides.data(), nullptr),
            H5Sclose);
        Handle const how(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
        // The place is known at once, and libhdf5 writes nothing there.
        H5Pset_alloc_time(how, H5D_ALLOC_TIME_EARLY);
        H5Pset_fill_time(how, H5D_FILL_TIME_NEVER);
        H5Pset_obj_track_times(how, false);
        std::vector<hsize_t> const chunk(d.chunk.begin(), d.chunk.end());
        if (!chunk.empty()) H5Pset_chunk(how, static_cast<int>(chunk.size()), chunk.data());
        Handle const made(H5Dcreate2(file_, d.name.c_str(), type, space, way, how, H5P_DEFAULT),
                          H5Dclose);
        if (made < 0) return false;
        if (!chunk.empty()) {
            auto const at = chunks_begin(made, sides, chunk);
            if (!at) return false;
            offsets.push_back(*at);
        } else {
            offsets.push_back(H5Dget_offset(made));
        }
        return d.unit.empty() || save::write_text(made, "units", d.unit);
    }

    // Where the chunks begin; nothing unless they follow each other as the elements do. Without
    // filters, and of one size, they are an array that needs no index (version 4 of layouts).
    static std::optional<std::uint64_t> chunks_begin(hid_t dataset,
                                                     std::vector<hsize_t> const& sides,
                                                     std::vector<hsize_t> const& chunk) {
        std::vector<hsize_t> first(sides.size(), 0), last;
        std::uint64_t before = 1;  // chunks before the last one
        for (std::size_t d = 0; d < sides.size(); ++d) {
            if (sides[d] % chunk[d] != 0) return {};
            last.push_back(sides[d] - chunk[d]);
            before *= sides[d] / chunk[d];
        }
        haddr_t begin = HADDR_UNDEF, end = HADDR_UNDEF;
        hsize_t size = 0;
        if (H5Dget_chunk_info_by_coord(dataset, first.data(), nullptr, &begin, &size) < 0 ||
            H5Dget_chunk_info_by_coord(dataset, last.data(), nullptr, &end, &size) < 0 ||
            begin == HADDR_UNDEF || end != begin + (before - 1) * size)
            return {};
        return begin;
    }

    bool made(Hdf5Text const& t) {
        offsets.push_back(0);
        Handle const type(H5Tcopy(H5T_C_S1), H5Tclose), space(H5Screate(H5S_SCALAR), H5Sclose);
        H5Tset_size(type, t.text.size() + 1);
        H5Tset_cset(type, H5T_CSET_UTF8);
        Handle const way(links(), H5Pclose), how(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
        H5Pset_obj_track_times(how, false);
        Handle const made(H5Dcreate2(file_, t.name.c_str(), type, space, way, how, H5P_DEFAULT),
                          H5Dclose);
        return made >= 0 &&
               H5Dwrite(made, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, t.text.c_str()) >= 0;
    }

    bool made(Hdf5Link const& l) {
        offsets.push_back(0);
        Handle const way(links(), H5Pclose);
        return H5Lcreate_soft(l.target.c_str(), file_, l.name.c_str(), way, H5P_DEFAULT) >= 0;
    }

    bool made(Hdf5Attribute const& a) {
        offsets.push_back(0);
        bool const root = a.object.empty();
        Handle const object(root ? H5Oopen(file_, "/", H5P_DEFAULT) : opened(a.object), H5Oclose);
        if (object < 0) return false;
        if (auto const* const text = std::get_if<std::string>(&a.value))
            return save::write_text(object, a.name, *text);
        if (auto const* const number = std::get_if<std::int64_t>(&a.value)) {
            Handle const type(H5Tcopy(H5T_STD_I64LE), H5Tclose);
            return numbered(object, a.name, type, H5T_NATIVE_INT64, number);
        }
        if (auto const* const number = std::get_if<double>(&a.value)) {
            Handle const type(H5Tcopy(H5T_IEEE_F64LE), H5Tclose);
            return numbered(object, a.name, type, H5T_NATIVE_DOUBLE, number);
        }
        Handle const type(H5Tenum_create(H5T_STD_I8LE), H5Tclose);
        std::int8_t const no = 0, yes = 1, is = std::get<bool>(a.value) ? 1 : 0;
        H5Tenum_insert(type, "FALSE", &no);
        H5Tenum_insert(type, "TRUE", &yes);
        return numbered(object, a.name, type, type, &is);
    }

    bool made(Hdf5Group const& g) {
        offsets.push_back(0);
        Handle const group(opened(g.name), H5Oclose);
        return group >= 0;
    }

    static bool numbered(hid_t object, std::string const& name, hid_t stored, hid_t memory,
                         void const* value) {
        Handle const space(H5Screate(H5S_SCALAR), H5Sclose);
        Handle const made(H5Acreate2(object, name.c_str(), stored, space, H5P_DEFAULT, H5P_DEFAULT),
                          H5Aclose);
        return made >= 0 && H5Awrite(made, memory, value) >= 0;
    }

    hid_t opened(std::string const& object) {
        hid_t const there = H5Oopen(file_, object.c_str(), H5P_DEFAULT);
        if (there >= 0) return there;
        Handle const way(links(), H5Pclose);
        return H5Gcreate2(file_, object.c_str(), way, H5P_DEFAULT, H5P_DEFAULT);
    }

    bool made(Hdf5PointLists const& l) {
        offsets.push_back(0);
        Handle const way(links(), H5Pclose);
        auto written = save::write_lists(file_, way, l);
        if (written) return *written;
        unread_ = std::move(written).error();
        return false;
    }

    hid_t file_;
    std::string const& path_;
    std::optional<Error> unread_ = {};  // of values that an entry should have given
};

std::uint64_t bytes_of(Hdf5Dataset const& d) {
    auto bytes = static_cast<std::uint64_t>(size_of(d.dtype));
    for (index side : d.shape) bytes *= static_cast<std::uint64_t>(side);
    return bytes;
}

// Everything but the elements; where these go.
Result<std::vector<std::uint64_t>> lay_out(std::string const& temporary, std::string const& path,
                                           std::vector<Hdf5Entry> const& entries,
                                           Provenance const& provenance) {
    std::uint64_t bytes = 0;
    for (Hdf5Entry const& entry : entries) {
        if (auto const* d = std::get_if<Hdf5Dataset>(&entry)) bytes += bytes_of(*d);
        if (auto const* t = std::get_if<Hdf5Text>(&entry)) bytes += t->text.size();
        if (auto const* l = std::get_if<Hdf5PointLists>(&entry)) bytes += save::room_for(*l);
    }
    for (auto const& [name, value] : provenance.fields) bytes += name.size() + value.size();
    save::Library const library;
    SLUICE_CHECK(take_room(temporary, path, bytes));
    Handle const access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_file_locking(access, false, true);
    H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
    bool const chunked = std::ranges::any_of(entries, [](Hdf5Entry const& e) {
        auto const* const d = std::get_if<Hdf5Dataset>(&e);
        return d && !d->chunk.empty();
    });
    if (chunked) H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110);
    Handle file(H5Fcreate(temporary.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose);
    Error const failed{Code::io, "writing failed (libhdf5 refused); choose another folder", path};
    if (file < 0) return failed;
    SLUICE_CHECK(take_room(temporary, path, bytes));
    Layout layout(file, path);
    for (Hdf5Entry const& entry : entries) SLUICE_CHECK(layout.add(entry));
    for (auto const& [name, value] : save::tidy(provenance).fields)
        if (!save::write_text(file, name, value)) return failed;
    hsize_t size = 0;
    if (H5Fflush(file, H5F_SCOPE_GLOBAL) < 0 || H5Fget_filesize(file, &size) < 0 || !file.reset())
        return failed;
    if (::truncate(temporary.c_str(), static_cast<off_t>(size)) != 0) return failed;
    return std::move(layout.offsets);
}

}  // namespace

namespace save {

Result<std::vector<std::uint64_t>> lay_out_hdf5(std::string const& path,
                                                std::vector<Hdf5Entry> const& entries,
                                                Provenance const& provenance) {
    return lay_out(path, path, entries, provenance);
}

}  // namespace save

Hdf5Dataset hdf5_dataset(std::string name, std::string unit, Elements const& elements) {
    Hdf5Dataset out{.name = std::move(name),
                    .unit = std::move(unit),
                    .dtype = elements.dtype,
                    .shape = elements.shape};
    expects(elements.bytes.size() == bytes_of(out));
    out.piece = [bytes = elements.bytes](index) { return bytes; };
    return out;
}

Status save_hdf5(std::string const& path, std::vector<Hdf5Entry> const& entries,
                 Provenance const& provenance) {
    SLUICE_TRY(NewFile out, NewFile::create(path));
    SLUICE_TRY(auto const offsets, lay_out(out.temporary(), path, entries, provenance));
    for (std::size_t i = 0; i < entries.size(); ++i) {
        auto const* const d = std::get_if<Hdf5Dataset>(&entries[i]);
        if (!d) continue;
        std::uint64_t at = offsets[i], written = 0;
        for (index p = 0; p < d->pieces && bytes_of(*d) > 0; ++p) {
            SLUICE_TRY(Bytes const bytes, d->piece(p));
            written += bytes.size();
            expects(written <= bytes_of(*d));
            SLUICE_CHECK(out.write_at(at, bytes));
            at += bytes.size();
        }
        expects(written == bytes_of(*d));
    }
    return out.commit();
}

}  // namespace sluice
