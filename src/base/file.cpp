// Files by POSIX calls.
// SPDX-License-Identifier: Apache-2.0
#include "base/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "base/file_lock.h"
#include "base/unfinished.h"

namespace sluice {
namespace {

enum class Use : std::uint8_t { read, write };

Error system_error(std::string const& path, std::string_view what, int number,
                   Use use = Use::write) {
    Code const code = number == ENOENT ? Code::not_found : Code::io;
    std::string_view advice;
    if (number == ENOSPC || number == EDQUOT) advice = "; free some space or choose another --out";
    bool const denied = number == EACCES || number == EROFS || number == EPERM;
    if (denied && use == Use::write)
        advice = "; choose a folder that you may write to, or ask for the right";
    if (denied && use == Use::read)
        advice = "; ask for the right to read it, or copy it to where you have that";
    return {code, fmt::format("{} ({}){}", what, std::strerror(number), advice), path};
}

// Anything but a file has no size, and may never give a byte.
std::string_view kind_of(mode_t mode) {
    return S_ISDIR(mode)    ? "a folder"
           : S_ISFIFO(mode) ? "a pipe"
           : S_ISSOCK(mode) ? "a socket"
                            : "a device";
}

Error not_a_file(std::string const& path, mode_t mode) {
    if (S_ISDIR(mode)) return {Code::invalid_argument, "is a folder, not a file", path};
    return {Code::invalid_argument,
            fmt::format("is {}, not a file (it has no size, and places in it cannot be read); save "
                        "its output in a file first",
                        kind_of(mode)),
            path};
}

// Never do so many processes with the same number write one file at once.
constexpr int most_writers = 1000;

std::string folder_of(std::string const& path) {
    std::string const parent = std::filesystem::path(path).parent_path();
    return parent.empty() ? "." : parent;
}

bool is_file(int fd) {
    struct stat s {};
    return ::fstat(fd, &s) == 0 && S_ISREG(s.st_mode);
}

// A device that a test puts in place of a file has nothing to flush, and some network file systems
// do not flush folders.
bool flushed(int fd) {
    return ::fsync(fd) == 0 || errno == EINVAL || errno == ENOSYS || errno == EROFS;
}

}  // namespace

Result<File> File::open(std::string const& path) {
    File f;
    f.path_ = path;
    // This does not wait for a writer of a pipe.
    f.fd_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat s {};
    if (f.fd_ < 0) {
        int const number = errno;
        // A socket cannot be opened at all.
        if (number == ENXIO && ::stat(path.c_str(), &s) == 0) return not_a_file(path, s.st_mode);
        return system_error(path, "cannot open the file", number, Use::read);
    }
    if (::fstat(f.fd_, &s) != 0)
        return system_error(path, "cannot read the file's size", errno, Use::read);
    if (!S_ISREG(s.st_mode)) return not_a_file(path, s.st_mode);
    f.size_ = static_cast<std::uint64_t>(s.st_size);
    return f;
}

File::File(File&& other) noexcept
    : path_(std::move(other.path_)), fd_(std::exchange(other.fd_, -1)), size_(other.size_) {}

File& File::operator=(File&& other) noexcept {
    std::swap(path_, other.path_);
    std::swap(fd_, other.fd_);
    std::swap(size_, other.size_);
    return *this;
}

File::~File() {
    if (fd_ >= 0) ::close(fd_);
}

Status File::read(std::uint64_t offset, std::span<std::byte> out) const {
    std::size_t done = 0;
    while (done < out.size()) {
        ssize_t const n =
            ::pread(fd_, out.data() + done, out.size() - done, static_cast<off_t>(offset + done));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return system_error(path_, "reading failed", errno, Use::read);
        if (n == 0)
            return Error{Code::truncated,
                         fmt::format("the file ends here, {} bytes short of what its index says; "
                                     "copy it again from the detector",
                                     out.size() - done),
                         path_, offset + done};
        done += static_cast<std::size_t>(n);
    }
    return {};
}

Status File::read_pieces(std::uint64_t offset, std::span<std::span<std::byte> const> pieces) const {
    constexpr std::size_t most = 256;
    std::array<iovec, most> vectors;
    while (!pieces.empty()) {
        std::size_t const n = std::min(most, pieces.size());
        std::size_t want = 0;
        for (std::size_t i = 0; i < n; ++i) {
            vectors[i] = {pieces[i].data(), pieces[i].size()};
            want += pieces[i].size();
        }
        ssize_t const got =
            ::preadv(fd_, vectors.data(), static_cast<int>(n), static_cast<off_t>(offset));
        // Interrupted, failed or at the end: the plain read goes on, or says why not.
        if (got < 0 || static_cast<std::size_t>(got) != want) {
            for (std::size_t i = 0; i < n; ++i) {
                SLUICE_CHECK(read(offset, pieces[i]));
                offset += pieces[i].size();
            }
        } else {
            offset += want;
        }
        pieces = pieces.subspan(n);
    }
    return {};
}

Result<Bytes> File::map() const {
    void* const p = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, fd_, 0);
    if (p == MAP_FAILED) return system_error(path_, "cannot map the file", errno, Use::read);
    return Bytes(static_cast<std::byte const*>(p), size_);
}

void File::drop_cache() const {
    ::posix_fadvise(fd_, 0, 0, POSIX_FADV_DONTNEED);
}

Result<std::vector<std::byte>> read_file(std::string const& path, std::uint64_t limit) {
    SLUICE_TRY(File file, File::open(path));
    if (file.size() > limit)
        return Error{Code::unsupported,
                     fmt::format("is {} bytes long (at most {} are read here)", file.size(), limit),
                     path};
    std::vector<std::byte> bytes(file.size());
    SLUICE_CHECK(file.read(0, bytes));
    return bytes;
}

Result<NewFile> NewFile::create(std::string const& path) {
    NewFile f;
    f.path_ = path;
    // Otherwise root would put a file in the place of /dev/null.
    struct stat there {};
    if (::stat(path.c_str(), &there) == 0 && !S_ISREG(there.st_mode))
        return Error{Code::invalid_argument,
                     fmt::format("is {}, and a file cannot take its place; give the path of a file",
                                 kind_of(there.st_mode)),
                     path};
    if (has_too_long_name(path))
        return Error{Code::invalid_argument,
                     "has a name of more than 255 bytes (no file can have it) choose a shorter one",
                     path};
    remove_leftovers(path);
    for (int other = 0; other < most_writers; ++other) {
        std::string const name = unfinished_name(path, other);
        // What is there is emptied only once its lock is held: another may be writing it.
        constexpr int flags = O_WRONLY | O_CREAT | O_CLOEXEC;
        int fd = ::open(name.c_str(), flags | O_EXCL, 0644);
        bool const made = fd >= 0;
        if (!made && errno == EEXIST) {
            fd = ::open(name.c_str(), flags, 0644);
            if (fd < 0 && errno == ENOENT) continue;
        }
        if (fd < 0) return system_error(path, "cannot create the file", errno);
        // Tests put things there that are not plain files; those need no lock.
        bool const plain = is_file(fd);
        Lock const lock = plain ? lock_file(fd) : Lock::taken;
        // Without locks a name is free only if this process made its file.
        bool const ours = lock == Lock::taken || (lock == Lock::unknown_here && made);
        if (ours && still_there(fd, name)) {
            f.temporary_ = name;
            f.fd_ = fd;
            if (plain && !made && ::ftruncate(fd, 0) != 0)
                return system_error(path, "cannot empty what was left of the file", errno);
            return f;
        }
        ::close(fd);
    }
    return Error{Code::io,
                 fmt::format("{} other processes write this file (or left {}); wait for them, or "
                             "remove those files",
                             most_writers, unfinished_name(path)),
                 path};
}

NewFile::NewFile(NewFile&& other) noexcept
    : path_(std::move(other.path_)),
      temporary_(std::exchange(other.temporary_, {})),
      fd_(std::exchange(other.fd_, -1)) {}

// Removed before the lock is let go: then the name may be another's.
NewFile::~NewFile() {
    if (!temporary_.empty() && still_there(fd_, temporary_)) ::unlink(temporary_.c_str());
    if (fd_ >= 0) ::close(fd_);
}

Status NewFile::write(Bytes bytes) {
    while (!bytes.empty()) {
        ssize_t const n = ::write(fd_, bytes.data(), bytes.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return system_error(path_, "writing failed", errno);
        bytes = bytes.subspan(static_cast<std::size_t>(n));
    }
    return {};
}

Status NewFile::write_at(std::uint64_t offset, Bytes bytes) {
    while (!bytes.empty()) {
        ssize_t const n = ::pwrite(fd_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return system_error(path_, "writing failed", errno);
        bytes = bytes.subspan(static_cast<std::size_t>(n));
        offset += static_cast<std::uint64_t>(n);
    }
    return {};
}

Status NewFile::commit(Flush flush) {
    if (flush == Flush::now && !flushed(fd_)) return system_error(path_, "writing failed", errno);
    if (std::rename(temporary_.c_str(), path_.c_str()) != 0)
        return system_error(path_, "cannot give the finished file its name", errno);
    temporary_.clear();
    // Closed after that: without its lock others may take the unfinished file for left over.
    if (::close(std::exchange(fd_, -1)) != 0) return system_error(path_, "writing failed", errno);
    return flush == Flush::now ? flush_folder(folder_of(path_)) : Status{};
}

Status save_text(std::string const& path, std::string_view text) {
    SLUICE_TRY(NewFile file, NewFile::create(path));
    SLUICE_CHECK(file.write(std::as_bytes(std::span(text))));
    return file.commit();
}

Status flush_folder(std::string const& path) {
    int const fd = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    // A folder may be written and not read; its names then go to the disk when the system likes.
    if (fd < 0) return errno == EACCES ? Status{} : system_error(path, "cannot be opened", errno);
    int const failed = flushed(fd) ? 0 : errno;
    ::close(fd);
    if (failed != 0) return system_error(path, "cannot be written to the disk", failed);
    return {};
}

Status make_folder(std::string const& path) {
    std::error_code e;
    std::filesystem::create_directories(path, e);
    if (e.value() == ENAMETOOLONG)
        return Error{Code::invalid_argument,
                     "cannot make the folder (its name, or the whole path, is too long for the "
                     "system) choose a shorter one",
                     path};
    if (e) return system_error(path, "cannot make the folder", e.value());
    if (::access(path.c_str(), W_OK) != 0)
        return system_error(path, "cannot write into the folder", errno);
    return {};
}

}  // namespace sluice
