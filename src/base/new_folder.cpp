// Folders that are renamed when they are whole.
// SPDX-License-Identifier: Apache-2.0
#include "base/new_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/file.h"
#include "base/unfinished.h"

namespace sluice {
namespace {

namespace fs = std::filesystem;

// Held by the writer, so that a folder which another machine is writing is not taken for left over.
constexpr char lock_name[] = "/.lock";
constexpr int most_folders = 100;

std::string parent_of(std::string const& path) {
    fs::path const parent = fs::path(path).parent_path();
    return parent.empty() ? "." : parent.string();
}

Error refused_folder(std::string const& path, char const* what, int number) {
    // One name that is too long says nothing of the disk.
    return {number == ENAMETOOLONG ? Code::invalid_argument : Code::io,
            fmt::format("{} ({})", what, std::strerror(number)), path};
}

// Errors are not told: a folder that cannot be removed is in nobody's way.
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
        int const fd = ::open((at->path().string() + lock_name).c_str(), O_WRONLY | O_CLOEXEC);
        if (fd < 0 || lock_file(fd) != Lock::held_by_another) remove_all(at->path().string());
        if (fd >= 0) ::close(fd);
    }
}

// Some file systems know no flags of renaming.
bool no_flags(int number) {
    return number == EINVAL || number == ENOSYS;
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
        f.lock_ = ::open((name + lock_name).c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
        if (f.lock_ < 0) return refused_folder(f.path_, "cannot write into the folder", errno);
        lock_file(f.lock_);
        return f;
    }
    return Error{Code::io,
                 fmt::format("{} others write this folder (or left {}); wait for them, or remove "
                             "those",
                             most_folders, unfinished_name(f.path_)),
                 f.path_};
}

NewFolder::NewFolder(NewFolder&& other) noexcept
    : path_(std::move(other.path_)),
      temporary_(std::exchange(other.temporary_, {})),
      lock_(std::exchange(other.lock_, -1)) {}

NewFolder::~NewFolder() {
    if (!temporary_.empty()) remove_all(temporary_);
    if (lock_ >= 0) ::close(lock_);
}

Status NewFolder::commit(bool replace) {
    ::unlink((temporary_ + lock_name).c_str());
    SLUICE_CHECK(flush_folder(temporary_));
    char const *const from = temporary_.c_str(), *const to = path_.c_str();
    auto const rename = [&](unsigned flags) {
        int failed = ::renameat2(AT_FDCWD, from, AT_FDCWD, to, flags) == 0 ? 0 : errno;
        if (flags == RENAME_NOREPLACE && no_flags(failed))
            failed = std::rename(from, to) == 0 ? 0 : errno;
        return failed;
    };
    int failed = rename(RENAME_NOREPLACE);
    bool const there = failed == EEXIST || failed == ENOTEMPTY || failed == ENOTDIR;
    if (there && !replace)
        return Error{Code::invalid_argument,
                     "exists already (another wrote it in the meantime) nothing was replaced",
                     path_};
    if (there) {
        failed = rename(RENAME_EXCHANGE);
        if (no_flags(failed)) {
            // For a moment nothing has the name: there is no better way here.
            std::string const aside = unfinished_name(path_, most_folders);
            failed = std::rename(to, aside.c_str()) == 0 && std::rename(from, to) == 0 ? 0 : errno;
            remove_all(aside);
        } else if (failed == 0) {
            remove_all(temporary_);  // now the one that was there
        }
    }
    if (failed != 0) return refused_folder(path_, "cannot give the folder its name", failed);
    temporary_.clear();
    return flush_folder(parent_of(path_));
}

}  // namespace sluice
