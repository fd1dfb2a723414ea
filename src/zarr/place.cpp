// Folders of the file system first; a path that leads through a zip file goes there.
// SPDX-License-Identifier: Apache-2.0
#include "zarr/place.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "zarr/zip_folder.h"

namespace sluice::zarr {
namespace {

namespace fs = std::filesystem;

Error cannot_look(std::string const& path, std::error_code const& error) {
    return {Code::io, fmt::format("cannot be looked through ({})", error.message()), path};
}

Below below_of(fs::directory_entry const& entry, std::size_t skipped) {
    std::error_code unknown;
    Below b{entry.path().string().substr(skipped), entry.is_directory(unknown)};
    if (!b.folder) b.bytes = entry.file_size(unknown);
    if (unknown) b.bytes = 0;
    return b;
}

// Bytes of a path before the names below it.
std::size_t skipped_of(std::string const& path) {
    return path.size() + (path.ends_with('/') ? 0 : 1);
}

}  // namespace

Result<bool> look_for(std::string const& path) {
    std::error_code error;
    // A link that leads nowhere is a file that got lost.
    if (fs::exists(fs::symlink_status(path, error))) return true;
    if (!error || error == std::errc::no_such_file_or_directory) return false;
    // What is below a zip is below no folder.
    if (error == std::errc::not_a_directory) {
        SLUICE_TRY(auto const in, in_zip(path));
        if (in) return in->zip->has(in->path);
    }
    return Error{Code::io, fmt::format("cannot be read ({})", error.message()), path};
}

bool is_there(std::string const& path) {
    auto const found = look_for(path);
    return found && *found;
}

Result<std::shared_ptr<Source const>> open_file(std::string const& path) {
    std::error_code error;
    if (!fs::exists(path, error))
        if (auto const in = in_zip(path); in && *in) return (*in)->zip->open_file((*in)->path);
    return open_source(path);
}

std::string stamp_of(std::string const& path) {
    // Of a file in a zip that of the zip.
    for (std::string way = path;;) {
        std::error_code error;
        auto const time = fs::last_write_time(way, error);
        if (!error) {
            auto const size = fs::is_regular_file(way, error) ? fs::file_size(way, error) : 0;
            return fmt::format("{} {}", time.time_since_epoch().count(), size);
        }
        auto const slash = way.rfind('/');
        if (slash == way.npos || slash == 0) return {};
        way.resize(slash);
    }
}

Result<std::vector<Below>> list_folder(std::string const& path) {
    SLUICE_TRY(auto const in, in_zip(path));
    if (in) return in->zip->list_folder(in->path);
    std::vector<Below> out;
    std::error_code error;
    for (fs::directory_iterator i(path, error), end; !error && i != end; i.increment(error))
        out.push_back(below_of(*i, skipped_of(path)));
    if (error) return cannot_look(path, error);
    std::ranges::sort(out, {}, &Below::name);
    return out;
}

Result<std::vector<Below>> list_files(std::string const& path) {
    SLUICE_TRY(auto const in, in_zip(path));
    if (in) return in->zip->list_files(in->path);
    std::vector<Below> out;
    std::error_code error;
    for (fs::recursive_directory_iterator i(path, error), end; !error && i != end;
         i.increment(error)) {
        Below b = below_of(*i, skipped_of(path));
        if (!b.folder) out.push_back(std::move(b));
    }
    if (error) return cannot_look(path, error);
    return out;
}

}  // namespace sluice::zarr
