// A file that keeps its temporary name unless it is finished.
// SPDX-License-Identifier: Apache-2.0
#include "base/kept_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "base/file.h"
#include "base/rename.h"
#include "base/unfinished.h"

namespace sluice {
namespace {

Error failed(std::string const& path, std::string_view what, int number) {
    return {Code::io,
            fmt::format("{} ({}) free some space or choose another folder", what,
                        std::strerror(number)),
            path};
}

Error left_over(std::string const& temporary) {
    return {Code::invalid_argument,
            "is there already (a program that was killed left it, or another writes it now) give "
            "it the name without .part to keep it, or remove it",
            temporary};
}

bool is_there(std::string const& path) {
    struct stat s {};
    return ::lstat(path.c_str(), &s) == 0;
}

}  // namespace

Status check_kept_name(std::string const& path) {
    if (has_too_long_name(path + ".part"))
        return Error{Code::invalid_argument,
                     "has too long a name (with .part no file can have it) choose a shorter one",
                     path};
    if (is_there(path))
        return Error{Code::invalid_argument,
                     "is there already (what was measured is not replaced) choose another name, "
                     "or move it away",
                     path};
    return is_there(path + ".part") ? Status(left_over(path + ".part")) : Status{};
}

Result<KeptFile> KeptFile::create(std::string const& path) {
    SLUICE_CHECK(check_kept_name(path));
    KeptFile f;
    f.path_ = path;
    std::string const name = path + ".part";
    f.fd_ = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (f.fd_ < 0 && errno == EEXIST) return left_over(name);
    if (f.fd_ < 0) return failed(path, "cannot create the file", errno);
    f.temporary_ = name;
    return f;
}

KeptFile::KeptFile(KeptFile&& other) noexcept
    : path_(std::move(other.path_)),
      temporary_(std::exchange(other.temporary_, {})),
      fd_(std::exchange(other.fd_, -1)) {}

KeptFile::~KeptFile() {
    if (fd_ >= 0) ::close(fd_);
}

void KeptFile::abandon() {
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
    temporary_.clear();
}

Status KeptFile::commit() {
    if (::fsync(fd_) != 0 && errno != EINVAL && errno != ENOSYS)
        return failed(path_, "writing failed", errno);
    if (auto const e = rename_if_free(temporary_, path_); e)
        return failed(path_, "cannot give the finished file its name", e.value());
    temporary_.clear();
    if (::close(std::exchange(fd_, -1)) != 0) return failed(path_, "writing failed", errno);
    auto const folder = std::filesystem::path(path_).parent_path().string();
    return flush_folder(folder.empty() ? "." : folder);
}

}  // namespace sluice
