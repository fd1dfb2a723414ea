// Handles, links and files of libhdf5.
// SPDX-License-Identifier: Apache-2.0
#include "format/hdf5/library.h"

#include <fmt/format.h>

#include "format/hdf5/filters.h"
#include "format/hdf5/superblock.h"

namespace sluice::hdf5 {
namespace {

std::recursive_mutex& library_mutex() {
    static std::recursive_mutex mutex;
    return mutex;
}

herr_t collect_name(hid_t, char const* name, H5L_info_t const*, void* to) {
    static_cast<std::vector<std::string>*>(to)->push_back(name);
    return 0;
}

/// H5Oget_info2 fills H5O_info_t or, from 1.12 on, H5O_info1_t: its own signature tells.
template <class Info>
std::pair<std::uint64_t, std::uint64_t> identity(hid_t object,
                                                 herr_t (*get)(hid_t, Info*, unsigned)) {
    Info info{};
    if (get(object, &info, H5O_INFO_BASIC) < 0) return {};
    return {info.fileno, info.addr};
}

/// What libhdf5 checks first, in words: the superblock says how long the file is.
Status check_length(File const& file) {
    SLUICE_TRY(Superblock const sb, read_superblock(ReadFile(file)));
    if (sb.end <= file.size() || sb.end == sb.undefined()) return {};
    return Error{
        Code::truncated,
        fmt::format("the file ends here but says that it has {} bytes (a copy that was cut "
                    "off, or a writer that has not finished); copy it again",
                    sb.end),
        file.path(), file.size()};
}

Error with_path(Error e, std::string const& path) {
    e.file = path;
    return e;
}

}  // namespace

LibraryLock::LibraryLock() : lock_(library_mutex()) {
    // Per thread: libhdf5 keeps an error stack for each.
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Handle::~Handle() {
    if (id_ < 0) return;
    LibraryLock lock;
    close_(id_);
}

Result<Handle> open_file(std::string const& path) {
    // For the operating system's own words: libhdf5 does not hand them over.
    SLUICE_TRY(File file, File::open(path));
    LibraryLock lock;
    register_filters();
    Handle const access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_file_locking(access.id(), false, true);
    Handle f(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.id()), H5Fclose);
    if (f) return f;
    Handle const swmr(H5Fopen(path.c_str(), H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access.id()),
                      H5Fclose);
    if (swmr)
        return Error{Code::incomplete,
                     "is still being written (its writer has not closed it); try again after the "
                     "acquisition, or run h5clear -s on a copy",
                     path};
    if (auto s = check_length(file); !s) return with_path(std::move(s).error(), path);
    return Error{Code::corrupt,
                 "is not an HDF5 file that libhdf5 can open (cut off, damaged, or of a newer "
                 "version); copy it again, or try h5dump",
                 path};
}

bool has_link(hid_t at, std::string const& path) {
    std::size_t end = path.starts_with('/') ? 1 : 0;
    while (end < path.size()) {
        end = std::min(path.find('/', end), path.size());
        std::string const part = path.substr(0, end);
        if (!part.ends_with('/') && H5Lexists(at, part.c_str(), H5P_DEFAULT) <= 0) return false;
        ++end;
    }
    return true;
}

Handle open_object(hid_t at, std::string const& path) {
    if (path != "/" && !has_link(at, path)) return {};
    return {H5Oopen(at, path.c_str(), H5P_DEFAULT), H5Oclose};
}

std::string unreadable_because() {
    unsigned major = 0, minor = 0, release = 0;
    H5get_libversion(&major, &minor, &release);
    return fmt::format(
        "libhdf5 {}.{}.{} cannot open it: a newer version wrote it, or it is damaged, "
        "or its link leads nowhere",
        major, minor, release);
}

bool is_dataset(Handle const& object) {
    return object && H5Iget_type(object.id()) == H5I_DATASET;
}
bool is_group(Handle const& object) {
    return object && H5Iget_type(object.id()) == H5I_GROUP;
}

std::vector<std::string> link_names(hid_t at, std::string const& group) {
    std::vector<std::string> names;
    Handle const g = open_object(at, group);
    if (is_group(g)) H5Literate(g.id(), H5_INDEX_NAME, H5_ITER_INC, nullptr, collect_name, &names);
    return names;
}

std::pair<std::uint64_t, std::uint64_t> identity_of(hid_t object) {
    return identity(object, H5Oget_info2);
}

std::optional<ExternalTarget> external_target(hid_t at, std::string const& path) {
    H5L_info_t info{};
    bool const external = has_link(at, path) &&
                          H5Lget_info(at, path.c_str(), &info, H5P_DEFAULT) >= 0 &&
                          info.type == H5L_TYPE_EXTERNAL;
    if (!external) return {};
    std::vector<char> value(info.u.val_size);
    if (H5Lget_val(at, path.c_str(), value.data(), value.size(), H5P_DEFAULT) < 0) return {};
    unsigned flags = 0;
    char const *file = nullptr, *inside = nullptr;
    if (H5Lunpack_elink_val(value.data(), value.size(), &flags, &file, &inside) < 0) return {};
    return ExternalTarget{file, inside};
}

std::vector<std::uint64_t> extent_of(Handle const& dataset) {
    Handle const space(H5Dget_space(dataset.id()), H5Sclose);
    int const rank = space ? H5Sget_simple_extent_ndims(space.id()) : 0;
    std::vector<hsize_t> n(static_cast<std::size_t>(std::max(rank, 0)));
    if (rank > 0) H5Sget_simple_extent_dims(space.id(), n.data(), nullptr);
    return {n.begin(), n.end()};
}

}  // namespace sluice::hdf5
