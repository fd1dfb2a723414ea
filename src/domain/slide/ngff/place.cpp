// Locks, flushes and names by calls of the system.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/ngff/place.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>
#include <vector>

#include "base/file.h"
#include "base/unfinished.h"

namespace sluice::slide::ome {
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

std::string holder(int fd) {
    std::array<char, 32> text{};
    ssize_t const n = ::pread(fd, text.data(), text.size() - 1, 0);
    std::string const number(text.data(), n > 0 ? static_cast<std::size_t>(n) : 0);
    std::size_t const digits = number.find_first_not_of("0123456789");
    return digits == 0 || number.empty() ? "another process"
                                         : "process " + number.substr(0, digits);
}

}  // namespace

Result<OutputLock> OutputLock::take(std::string const& path) {
    SLUICE_CHECK(make_folder(folder_of(path)));
    OutputLock lock;
    std::string const file = path + ".lock";
    while (true) {
        int const fd = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
        if (fd < 0) return refused(file, "cannot make the lock of the output", errno);
        lock.fd_ = fd;
        if (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
            int const number = errno;
            std::string const who = holder(fd);
            ::close(std::exchange(lock.fd_, -1));
            if (number != EWOULDBLOCK)
                return refused(file, "cannot be locked; write to another file system", number);
            return Error{Code::io,
                         fmt::format("{} converts into it at this moment; wait for it, or choose "
                                     "another name",
                                     who),
                         path};
        }
        if (still_there(fd, file)) break;
        ::close(std::exchange(lock.fd_, -1));
    }
    lock.file_ = file;
    // Only for the message that another process prints.
    std::string const me = fmt::format("{}\n", ::getpid());
    if (::ftruncate(lock.fd_, 0) == 0) {
        [[maybe_unused]] ssize_t const n = ::pwrite(lock.fd_, me.data(), me.size(), 0);
    }
    return lock;
}

OutputLock::OutputLock(OutputLock&& other) noexcept
    : file_(std::exchange(other.file_, {})), fd_(std::exchange(other.fd_, -1)) {}

OutputLock::~OutputLock() {
    if (!file_.empty()) ::unlink(file_.c_str());
    if (fd_ >= 0) ::close(fd_);
}

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
    fs::remove_all(old, error);
    if (error) return nameless(part, error);
    if (::renameat2(AT_FDCWD, part.c_str(), AT_FDCWD, path.c_str(), RENAME_EXCHANGE) == 0) {
        fs::rename(part, old, error);
    } else if (errno == EINVAL || errno == ENOSYS) {
        fs::rename(path, old, error);
        if (!error) fs::rename(part, path, error);
    } else {
        error = {errno, std::generic_category()};
    }
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

}  // namespace sluice::slide::ome
