// Sources: files by pread and by mmap, and bytes in memory.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/source.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "base/file.h"
#include "base/mapped_guard.h"

namespace sluice {
namespace {

class FileSource : public Source {
  public:
    explicit FileSource(File file) : file_(std::move(file)) {}

    std::string const& name() const override { return file_.path(); }
    std::uint64_t size() const override { return file_.size(); }
    Status read(std::uint64_t offset, std::span<std::byte> out) const override {
        return file_.read(offset, out);
    }
    Status read_pieces(std::uint64_t offset,
                       std::span<std::span<std::byte> const> pieces) const override {
        return file_.read_pieces(offset, pieces);
    }
    void drop_cache() const override { file_.drop_cache(); }

  private:
    File file_;
};

Status copy_from(std::string const& name, Bytes bytes, std::uint64_t offset,
                 std::span<std::byte> out) {
    if (offset > bytes.size() || out.size() > bytes.size() - offset)
        return Error{Code::truncated,
                     fmt::format("the file ends at byte {}, before what its index says; copy it "
                                 "again from where it was written",
                                 bytes.size()),
                     name, offset};
    if (!out.empty()) std::memcpy(out.data(), bytes.data() + offset, out.size());
    return {};
}

class MappedSource : public Source {
  public:
    MappedSource(File file, Bytes bytes, MappedGuard* guard)
        : file_(std::move(file)),
          bytes_(bytes),
          guard_(guard),
          fd_(::open(file_.path().c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
    MappedSource(MappedSource const&) = delete;
    MappedSource& operator=(MappedSource const&) = delete;
    ~MappedSource() override {
        unguard(guard_);
        if (fd_ >= 0) ::close(fd_);
        if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
    }

    std::string const& name() const override { return file_.path(); }
    std::uint64_t size() const override { return bytes_.size(); }
    Status read(std::uint64_t offset, std::span<std::byte> out) const override {
        SLUICE_CHECK(copy_from(name(), bytes_, offset, out));
        return is_broken(guard_) ? shorter() : Status();
    }
    Bytes mapped() const override { return bytes_; }
    Status intact() const override {
        // The rest of the last page reads as zeros without a signal.
        struct stat now = {};
        bool const cut =
            ::fstat(fd_, &now) == 0 && static_cast<std::uint64_t>(now.st_size) < bytes_.size();
        return cut || is_broken(guard_) ? shorter() : Status();
    }
    void drop_cache() const override {
        if (!bytes_.empty())
            ::madvise(const_cast<std::byte*>(bytes_.data()), bytes_.size(), MADV_DONTNEED);
        file_.drop_cache();
    }

  private:
    File file_;
    Bytes bytes_;
    MappedGuard* guard_;
    int fd_;  ///< to ask for the file's size, whatever has its name now

    Status shorter() const {
        return Error{Code::truncated,
                     fmt::format("the file became shorter than its {} bytes while it was read; "
                                 "copy it again from where it was written",
                                 bytes_.size()),
                     name()};
    }
};

class MemorySource : public Source {
  public:
    MemorySource(std::string name, std::vector<std::byte> bytes)
        : name_(std::move(name)), bytes_(std::move(bytes)) {}

    std::string const& name() const override { return name_; }
    std::uint64_t size() const override { return bytes_.size(); }
    Status read(std::uint64_t offset, std::span<std::byte> out) const override {
        return copy_from(name_, bytes_, offset, out);
    }
    Bytes mapped() const override { return bytes_; }

  private:
    std::string name_;
    std::vector<std::byte> bytes_;
};

}  // namespace

Status Source::read_pieces(std::uint64_t offset,
                           std::span<std::span<std::byte> const> pieces) const {
    for (std::span<std::byte> const piece : pieces) {
        SLUICE_CHECK(read(offset, piece));
        offset += piece.size();
    }
    return {};
}

Result<std::shared_ptr<Source const>> open_source(std::string const& path, Access access) {
    SLUICE_TRY(File file, File::open(path));
    if (access == Access::read || file.size() == 0)
        return std::shared_ptr<Source const>(std::make_shared<FileSource>(std::move(file)));
    SLUICE_TRY(Bytes const bytes, file.map());
    MappedGuard* const held = guard(bytes);
    if (!held) {
        // More mapped files than can be watched: these are read.
        ::munmap(const_cast<std::byte*>(bytes.data()), bytes.size());
        return std::shared_ptr<Source const>(std::make_shared<FileSource>(std::move(file)));
    }
    return std::shared_ptr<Source const>(
        std::make_shared<MappedSource>(std::move(file), bytes, held));
}

std::shared_ptr<Source const> memory_source(std::string name, std::vector<std::byte> bytes) {
    return std::make_shared<MemorySource>(std::move(name), std::move(bytes));
}

}  // namespace sluice
