// Sources: files by pread and by mmap, and bytes in memory.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/source.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>

#include "base/file.h"

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
    MappedSource(File file, Bytes bytes) : file_(std::move(file)), bytes_(bytes) {}
    MappedSource(MappedSource const&) = delete;
    MappedSource& operator=(MappedSource const&) = delete;
    ~MappedSource() override {
        if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
    }

    std::string const& name() const override { return file_.path(); }
    std::uint64_t size() const override { return bytes_.size(); }
    Status read(std::uint64_t offset, std::span<std::byte> out) const override {
        return copy_from(name(), bytes_, offset, out);
    }
    Bytes mapped() const override { return bytes_; }
    void drop_cache() const override {
        if (!bytes_.empty())
            ::madvise(const_cast<std::byte*>(bytes_.data()), bytes_.size(), MADV_DONTNEED);
        file_.drop_cache();
    }

  private:
    File file_;
    Bytes bytes_;
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
    return std::shared_ptr<Source const>(std::make_shared<MappedSource>(std::move(file), bytes));
}

std::shared_ptr<Source const> memory_source(std::string name, std::vector<std::byte> bytes) {
    return std::make_shared<MemorySource>(std::move(name), std::move(bytes));
}

}  // namespace sluice
