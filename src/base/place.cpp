// Flushes and names by calls of the system.
// SPDX-License-Identifier: Apache-2.0
#include "base/place.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <vector>

#include "base/file.h"
#include "base/rename.h"

namespace sluice {
namespace {

namespace fs = std::filesystem;

Error refused(std::string const& path, std::string_view what, int number) {
    return {Code::io, fmt::format("{} ({})", what, std::strerror(number)), path};
}

std::string folder_of(std::string const& path) {
    std::string const parent = fs::path(path).parent_path();
    return parent.empty() ? "." : parent;
}

std::string old_name(std::string const& path) {
    return path + ".sluice-old";
}

Error nameless(std::string const& part, std::error_code error) {
    return {Code::io, fmt::format("cannot get its name ({})", error.message()), part};
}

}  // namespace

Status keep_only(std::string const& folder, std::set<std::string> const& known) {
    std::error_code error;
    std::vector<fs::path> folders, others;
    for (auto i = fs::recursive_directory_iterator(folder, error);
         !error && i != fs::recursive_directory_iterator(); i.increment(error)) {
        if (i->is_directory() && !i->is_symlink())
            folders.push_back(i->path());
        else if (!known.contains(i->path().lexically_relative(folder)))
            others.push_back(i->path());
    }
    for (auto f = others.begin(); !error && f != others.end(); ++f) fs::remove(*f, error);
    // Those inside come after those around them.
    for (auto f = folders.rbegin(); !error && f != folders.rend(); ++f)
        if (fs::is_empty(*f, error) && !error) fs::remove(*f, error);
    if (error)
        return Error{Code::io, fmt::format("cannot be cleaned ({})", error.message()), folder};
    return {};
}

Status flush_files(std::string const& folder) {
    int const fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return refused(folder, "cannot be opened", errno);
    int const failed = ::syncfs(fd) != 0 ? errno : 0;
    ::close(fd);
    if (failed != 0 && failed != EINVAL && failed != ENOSYS)
        return refused(folder, "cannot be written to the disk", failed);
    return {};
}

bool is_there(std::string const& path) {
    std::error_code error;
    return fs::exists(fs::symlink_status(path, error));
}

Status take_name(std::string const& part, std::string const& path, bool replace) {
    std::string const old = old_name(path);
    std::error_code error;
    if (!replace || !is_there(path)) {
        fs::rename(part, path, error);
        if (error) return nameless(part, error);
        return flush_folder(folder_of(path));
    }
    error = exchange_names(part, path, old);
    if (error) return nameless(part, error);
    SLUICE_CHECK(flush_folder(folder_of(path)));
    fs::remove_all(old, error);
    if (error) return Error{Code::io, fmt::format("cannot be removed ({})", error.message()), old};
    return {};
}

void restore_name(std::string const& path) {
    std::error_code error;
    if (!is_there(path) && is_there(old_name(path))) fs::rename(old_name(path), path, error);
}

}  // namespace sluice
