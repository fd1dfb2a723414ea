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

namespace sluice {
namespace {

Error system_error(std::string const& path, std::string_view what, int number) {
    Code const code = number == ENOENT ? Code::not_found : Code::io;
    std::string_view advice;
    if (number == ENOSPC || number == EDQUOT) advice = "; free some space or choose another --out";
    if (number == EACCES || number == EROFS || number == EPERM)
        advice = "; choose a folder that you may write to, or ask for the right";
    return {code, fmt::format("{} ({}){}", what, std::strerror(number), advice), path};
}

}  // namespace

Result<File> File::open(std::string const& path) {
    File f;
    f.path_ = path;
    // Opening a pipe waits until somebody writes into it.
    struct stat kind {};
    if (::stat(path.c_str(), &kind) == 0 && (S_ISFIFO(kind.st_mode) || S_ISSOCK(kind.st_mode)))
        return Error{Code::invalid_argument,
                     "is a pipe or a socket, not a file; save what comes out of it as a file", path};
    f.fd_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (f.fd_ < 0) return system_error(path, "cannot open the file", errno);
    struct stat s {};
    if (::fstat(f.fd_, &s) != 0) return system_error(path, "cannot read the file's size", errno);
    if (S_ISDIR(s.st_mode)) return Error{Code::invalid_argument, "is a folder, not a file", path};
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
        if (n < 0) return system_error(path_, "reading failed", errno);
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
    if (p == MAP_FAILED) return system_error(path_, "cannot map the file", errno);
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
    f.temporary_ = fmt::format("{}.part-{}", path, ::getpid());
    f.fd_ = ::open(f.temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (f.fd_ < 0) return system_error(path, "cannot create the file", errno);
    return f;
}

NewFile::NewFile(NewFile&& other) noexcept
    : path_(std::move(other.path_)),
      temporary_(std::exchange(other.temporary_, {})),
      fd_(std::exchange(other.fd_, -1)) {}

NewFile::~NewFile() {
    if (fd_ >= 0) ::close(fd_);
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
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

Status NewFile::commit() {
    if (::close(std::exchange(fd_, -1)) != 0) return system_error(path_, "writing failed", errno);
    if (std::rename(temporary_.c_str(), path_.c_str()) != 0)
        return system_error(path_, "cannot give the finished file its name", errno);
    temporary_.clear();
    return {};
}

Status make_folder(std::string const& path) {
    std::error_code e;
    std::filesystem::create_directories(path, e);
    if (e) return system_error(path, "cannot make the folder", e.value());
    if (::access(path.c_str(), W_OK) != 0)
        return system_error(path, "cannot write into the folder", errno);
    return {};
}

}  // namespace sluice
