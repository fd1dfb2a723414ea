// Folders that are renamed when they are whole.
// SPDX-License-Identifier: Apache-2.0
#include "base/new_folder.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/file.h"
#include "base/rename.h"
#include "base/unfinished.h"

namespace sluice {
namespace {

namespace fs = std::filesystem;

constexpr char lock_name[] = "/.lock";
constexpr int most_folders = 100;

std::string parent_of(std::string const& path) {
    fs::path const parent = fs::path(path).parent_path();
    return parent.empty() ? "." : parent.string();
}

Error refused_folder(std::string const& path, char const* what, int number) {
    // The caller chose a name that is too long; the disk is not to blame.
    return {number == ENAMETOOLONG ? Code::invalid_argument : Code::io,
            fmt::format("{} ({})", what, std::strerror(number)), path};
}

// Errors are ignored: a folder that cannot be removed does no harm.
void remove_all(std::string const& folder) {
    std::error_code ignored;
    fs::remove_all(folder, ignored);
}

void remove_left_folders(std::string const& path) {
    std::string const prefix = unfinished_prefix(fs::path(path).filename().string());
    std::error_code failed;
    for (fs::directory_iterator at(parent_of(path), failed), end; !failed && at != end;
         at.increment(failed)) {
        std::string const name = at->path().filename().string();
        std::error_code ignored;
        if (!name.starts_with(prefix) || !writer_has_ended(name) ||
            !fs::is_directory(at->symlink_status(ignored)))
            continue;
        if (!is_locked(at->path().string() + lock_name)) remove_all(at->path().string());
    }
}

}  // namespace

Result<NewFolder> NewFolder::create(std::string const& path_given) {
    NewFolder f;
    f.path_ = path_given;
    while (f.path_.size() > 1 && f.path_.ends_with('/')) f.path_.pop_back();
    if (has_too_long_name(f.path_))
        return refused_folder(f.path_, "cannot make the folder", ENAMETOOLONG);
    SLUICE_CHECK(make_folder(parent_of(f.path_)));
    remove_left_folders(f.path_);
    for (int other = 0; other < most_folders; ++other) {
        std::string const name = unfinished_name(f.path_, other);
        if (::mkdir(name.c_str(), 0755) != 0) {
            if (errno == EEXIST) continue;
            return refused_folder(f.path_, "cannot make the folder", errno);
        }
        f.temporary_ = name;
        auto lock = FileLock::attempt(name + lock_name);
        if (!lock) return Error{lock.error().code, std::move(lock).error().message, f.path_};
        f.lock_.emplace(*std::move(lock));
        return f;
    }
    return Error{Code::io,
                 fmt::format("{} other processes write this folder (or left {}); wait for them, or "
                             "remove those folders",
                             most_folders, unfinished_name(f.path_)),
                 f.path_};
}

NewFolder::NewFolder(NewFolder&& other) noexcept
    : path_(std::move(other.path_)),
      temporary_(std::exchange(other.temporary_, {})),
      lock_(std::move(other.lock_)) {}

NewFolder::~NewFolder() {
    if (!temporary_.empty()) remove_all(temporary_);
}

Status NewFolder::commit(bool replace) {
    lock_.reset();
    SLUICE_CHECK(flush_folder(temporary_));
    std::error_code failed = rename_if_free(temporary_, path_);
    int const number = failed.value();
    bool const there = number == EEXIST || number == ENOTEMPTY || number == ENOTDIR;
    if (there && !replace)
        return Error{
            Code::invalid_argument,
            "exists already (another process wrote it in the meantime) nothing was replaced",
            path_};
    if (there) {
        std::string const aside = unfinished_name(path_, most_folders);
        failed = exchange_names(temporary_, path_, aside);
        remove_all(aside);
    }
    if (failed) return refused_folder(path_, "cannot give the folder its name", failed.value());
    temporary_.clear();
    return flush_folder(parent_of(path_));
}

}  // namespace sluice
