// The calls of libhdf5 behind H5Writer.
// SPDX-License-Identifier: Apache-2.0
#include "format/nxmx/writer_h5.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/system.h"

namespace sluice::nxmx {

template <>
hid_t h5_type<std::int8_t>() {
    return H5T_NATIVE_INT8;
}
template <>
hid_t h5_type<std::uint8_t>() {
    return H5T_NATIVE_UINT8;
}
template <>
hid_t h5_type<std::uint16_t>() {
    return H5T_NATIVE_UINT16;
}
template <>
hid_t h5_type<std::int32_t>() {
    return H5T_NATIVE_INT32;
}
template <>
hid_t h5_type<std::uint32_t>() {
    return H5T_NATIVE_UINT32;
}
template <>
hid_t h5_type<std::int64_t>() {
    return H5T_NATIVE_INT64;
}
template <>
hid_t h5_type<std::uint64_t>() {
    return H5T_NATIVE_UINT64;
}
template <>
hid_t h5_type<float>() {
    return H5T_NATIVE_FLOAT;
}
template <>
hid_t h5_type<double>() {
    return H5T_NATIVE_DOUBLE;
}

hid_t h5_type(DType t) {
    switch (t) {
        case DType::u8:
            return H5T_STD_U8LE;
        case DType::u16:
            return H5T_STD_U16LE;
        case DType::u32:
            return H5T_STD_U32LE;
        case DType::f32:
            return H5T_IEEE_F32LE;
        default:
            break;
    }
    return -1;
}

Handle untimed(hid_t kind) {
    Handle list(H5Pcreate(kind), H5Pclose);
    H5Pset_obj_track_times(list.id(), false);
    return list;
}

namespace {

// What libhdf5 keeps to itself until it closes a file: trees, heaps, headers.
constexpr std::uint64_t unwritten_bytes = 1 << 20;
// Room is taken ahead, so that small writes do not ask the system each.
constexpr std::uint64_t ahead_bytes = 8 << 20;

}  // namespace

Result<H5Writer> H5Writer::create(std::string const& path) {
    SLUICE_TRY(NewFile file, NewFile::create(path));
    return create_in(std::move(file), path);
}

Result<H5Writer> H5Writer::create_kept(std::string const& path) {
    SLUICE_TRY(KeptFile file, KeptFile::create(path));
    auto writer = create_in(std::move(file), path);
    // What has nothing in it is not kept.
    if (!writer) std::remove((path + ".part").c_str());
    return writer;
}

Result<H5Writer> H5Writer::create_in(File file, std::string const& path) {
    H5Writer w(std::move(file), path);
    w.reserve(0);
    if (!w.good_) return w.close().error();
    Handle const creation = untimed(H5P_FILE_CREATE);
    Handle const access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    // Detectors write superblock 2 and version 1 B-trees; virtual datasets need the newest bound.
    H5Pset_libver_bounds(access.id(), H5F_LIBVER_V18, H5F_LIBVER_LATEST);
    H5Pset_fclose_degree(access.id(), H5F_CLOSE_STRONG);
    H5Pset_file_locking(access.id(), false, true);
    w.h5_ = Handle(H5Fcreate(w.temporary().c_str(), H5F_ACC_TRUNC, creation.id(), access.id()),
                   H5Fclose);
    w.check(static_cast<bool>(w.h5_));
    w.reserved_ = 0;  // the file was emptied
    w.reserve(0);
    if (!w.good_) return w.close().error();
    return w;
}

void H5Writer::check(bool good) {
    if (good || !good_) return;
    good_ = false;
    system_error_ = errno;
}

// 0, or the system's error number.
int H5Writer::take_room(std::uint64_t used, std::uint64_t wanted) {
    wanted += used + unwritten_bytes;
    if (wanted <= reserved_) return 0;
    int const e = reserve_room(temporary(), reserved_, wanted);
    if (e == 0) reserved_ = wanted;
    return e;
}

void H5Writer::reserve(std::uint64_t bytes) {
    hsize_t used = 0;
    if (!good_ || (h5_ && H5Fget_filesize(id(), &used) < 0)) return check(false);
    if (int const e = take_room(used, bytes); e != 0) {
        good_ = false;
        system_error_ = e;
    }
}

Status H5Writer::make_room(std::uint64_t bytes) {
    hsize_t used = 0;
    check(good_ && H5Fget_filesize(id(), &used) >= 0);
    if (!good_) return no_room(system_error_);
    if (used + bytes + unwritten_bytes <= reserved_) return {};
    if (take_room(used, bytes + ahead_bytes) == 0) return {};
    int const e = take_room(used, bytes);
    return e == 0 ? Status{} : Status(no_room(e));
}

Status H5Writer::flush() {
    hsize_t used = 0;
    check(good_ && H5Fflush(id(), H5F_SCOPE_LOCAL) >= 0 && H5Fget_filesize(id(), &used) >= 0);
    if (!good_) return no_room(system_error_);
    reserved_ = used;  // libhdf5 may have cut the file to its length
    return make_room(0);
}

void H5Writer::group(std::string const& path, std::string const& nx_class) {
    if (!good_) return;
    Handle const creation = untimed(H5P_GROUP_CREATE);
    check(static_cast<bool>(
        Handle(H5Gcreate2(id(), path.c_str(), H5P_DEFAULT, creation.id(), H5P_DEFAULT), H5Gclose)));
    if (!nx_class.empty()) attribute(path, "NX_class", nx_class);
}

void H5Writer::write_array(std::string const& path, std::vector<hsize_t> const& shape, hid_t type,
                           void const* values) {
    hsize_t bytes = H5Tget_size(type);
    for (hsize_t n : shape) bytes *= n;
    reserve(bytes);
    if (!good_) return;
    Handle const creation = untimed(H5P_DATASET_CREATE);
    Handle const space(
        shape.empty() ? H5Screate(H5S_SCALAR)
                      : H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr),
        H5Sclose);
    Handle const set(
        H5Dcreate2(id(), path.c_str(), type, space.id(), H5P_DEFAULT, creation.id(), H5P_DEFAULT),
        H5Dclose);
    check(set && H5Dwrite(set.id(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
}

namespace {

Handle text_type(std::string const& value) {
    Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(type.id(), value.size() + 1);
    return type;
}

}  // namespace

void H5Writer::text(std::string const& path, std::string const& value) {
    Handle const type = text_type(value);
    write_array(path, {}, type.id(), value.c_str());
}

void H5Writer::attribute(std::string const& path, std::string const& name,
                         std::string const& value) {
    Handle const type = text_type(value);
    write_attribute(path, name, type.id(), value.c_str());
}

void H5Writer::write_attribute(std::string const& path, std::string const& name, hid_t type,
                               void const* value) {
    if (!good_) return;
    Handle const space(H5Screate(H5S_SCALAR), H5Sclose);
    Handle const a(H5Acreate_by_name(id(), path.c_str(), name.c_str(), type, space.id(),
                                     H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                   H5Aclose);
    check(a && H5Awrite(a.id(), type, value) >= 0);
}

namespace {

// libhdf5 cuts the file to its length only when it thinks that this has changed.
bool give_room_back(std::string const& path, std::uint64_t used) {
    struct stat s {};
    if (::stat(path.c_str(), &s) != 0) return false;
    if (static_cast<std::uint64_t>(s.st_size) <= used) return true;
    return ::truncate(path.c_str(), static_cast<off_t>(used)) == 0;
}

}  // namespace

Error H5Writer::no_room(int system_error) const {
    std::string const why = system_error != 0 ? std::strerror(system_error) : "libhdf5 refused";
    return {Code::io,
            fmt::format("writing failed ({}); free some space or choose another folder", why),
            path_};
}

Status H5Writer::close() {
    hsize_t size = 0;
    if (good_) check(H5Fflush(id(), H5F_SCOPE_GLOBAL) >= 0 && H5Fget_filesize(id(), &size) >= 0);
    h5_ = {};
    if (good_) check(give_room_back(temporary(), size));
    if (good_) return {};
    return no_room(system_error_);
}

void H5Writer::abandon() {
    h5_ = {};
    if (auto* const kept = std::get_if<KeptFile>(&file_)) kept->abandon();
}

}  // namespace sluice::nxmx
