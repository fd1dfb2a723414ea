// Locks by fcntl() that belong to an open file, and not to the process.
// SPDX-License-Identifier: Apache-2.0
#include "base/file_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "base/file.h"

namespace sluice {

Lock lock_file(int fd) {
    struct flock whole {};
    whole.l_type = F_WRLCK;
    whole.l_whence = SEEK_SET;
    if (::fcntl(fd, F_OFD_SETLK, &whole) == 0) return Lock::taken;
    return errno == EAGAIN || errno == EACCES ? Lock::held_by_another : Lock::unknown_here;
}

bool is_locked(std::string const& file) {
    int const fd = ::open(file.c_str(), O_WRONLY | O_CLOEXEC);
    if (fd < 0) return false;
    bool const held = lock_file(fd) == Lock::held_by_another;
    ::close(fd);
    return held;
}

bool still_there(int fd, std::string const& path) {
    struct stat mine {
    }, named{};
    return ::fstat(fd, &mine) == 0 && ::stat(path.c_str(), &named) == 0 &&
           mine.st_ino == named.st_ino && mine.st_dev == named.st_dev;
}

Result<FileLock> FileLock::attempt(std::string const& file) {
    FileLock lock;
    do {
        if (lock.fd_ >= 0) ::close(lock.fd_);
        lock.fd_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
        if (lock.fd_ < 0)
            return Error{Code::io, fmt::format("cannot make the lock ({})", std::strerror(errno)),
                         file};
        lock.state_ = lock_file(lock.fd_);
    } while (lock.state_ == Lock::taken && !still_there(lock.fd_, file));
    if (lock.state_ == Lock::held_by_another) return lock;
    lock.file_ = file;
    // Only for holder() of another process.
    std::string const me = fmt::format("{}\n", ::getpid());
    if (::ftruncate(lock.fd_, 0) == 0) {
        [[maybe_unused]] ssize_t const n = ::pwrite(lock.fd_, me.data(), me.size(), 0);
    }
    return lock;
}

FileLock::FileLock(FileLock&& other) noexcept
    : file_(std::exchange(other.file_, {})),
      fd_(std::exchange(other.fd_, -1)),
      state_(other.state_) {}

FileLock::~FileLock() {
    if (!file_.empty()) ::unlink(file_.c_str());
    if (fd_ >= 0) ::close(fd_);
}

std::string FileLock::holder() const {
    std::array<char, 32> text{};
    ssize_t const n = ::pread(fd_, text.data(), text.size() - 1, 0);
    std::string const number(text.data(), n > 0 ? static_cast<std::size_t>(n) : 0);
    std::size_t const digits = number.find_first_not_of("0123456789");
    return digits == 0 || number.empty() ? "another process"
                                         : "process " + number.substr(0, digits);
}

Result<FileLock> lock_output(std::string const& path, std::string_view doing) {
    std::string const parent = std::filesystem::path(path).parent_path();
    SLUICE_CHECK(make_folder(parent.empty() ? "." : parent));
    SLUICE_TRY(FileLock lock, FileLock::attempt(path + ".lock"));
    if (lock.state() == Lock::unknown_here)
        return Error{Code::io, "cannot be locked (its file system has no locks) choose another one",
                     path};
    if (lock.state() == Lock::held_by_another)
        return Error{Code::io,
                     fmt::format("{} {} at this moment; wait for it, or choose another name",
                                 lock.holder(), doing),
                     path};
    return lock;
}

}  // namespace sluice
