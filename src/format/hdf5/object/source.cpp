// Opening a file for its metadata, and reading blocks of it.
// SPDX-License-Identifier: Apache-2.0
#include "format/hdf5/object/source.h"

#include <fmt/format.h>

#include "format/hdf5/checksum.h"
#include "format/while_written.h"

namespace sluice::hdf5::object {
namespace {

// A read costs about as much as copying this many bytes.
constexpr std::uint64_t price_of_a_read = 256;
// About a second of work. A search through a hundred thousand datasets spends a third of it.
constexpr std::uint64_t most_work = std::uint64_t{256} << 20;

class OwnedFile final : public ReadAt {
  public:
    explicit OwnedFile(File file) : file_(std::move(file)) {}
    std::uint64_t size() const override { return file_.size(); }
    Status read(std::uint64_t at, std::span<std::byte> out) const override {
        return file_.read(at, out);
    }

  private:
    File file_;
};

}  // namespace

bool Budget::spend(std::uint64_t bytes) const {
    std::uint64_t const price = price_of_a_read + bytes / 4;
    return spent_.fetch_add(price, std::memory_order_relaxed) < most_work;
}

Result<Source::Pointer> Source::open(std::string const& path, std::shared_ptr<Budget const> b) {
    SLUICE_TRY(File file, File::open(path));
    return open(std::make_unique<OwnedFile>(std::move(file)), path, std::move(b));
}

Result<Source::Pointer> Source::open(std::unique_ptr<ReadAt const> in, std::string path,
                                     std::shared_ptr<Budget const> budget, Sums sums) {
    std::shared_ptr<Source> s(new Source);
    s->in_ = std::move(in);
    s->path_ = std::move(path);
    s->sums_ = sums;
    s->budget_ = budget ? std::move(budget) : std::make_shared<Budget const>();
    auto sb = read_superblock(*s->in_);
    if (!sb) {
        sb.error().file = s->path_;
        return std::move(sb).error();
    }
    s->sb_ = *sb;
    SLUICE_CHECK(s->check());
    return Pointer(std::move(s));
}

Status Source::check() const {
    bool const written = WhileWritten::now() != nullptr;
    if (sb_.being_written && !written)
        return Error{Code::incomplete,
                     "is still being written (its writer has not closed it); try again after the "
                     "acquisition, or run h5clear -s on a copy",
                     path_};
    if (defined(sb_.driver))
        return unsupported(
            "the data are spread over several files (HDF5's family or multi driver); join them "
            "with h5repart",
            sb_.driver);
    if (sb_.end > in_->size() && defined(sb_.end) && !written)
        return Error{Code::truncated,
                     fmt::format("the file ends here but says that it has {} bytes (a copy that "
                                 "was cut off, or a writer that has not finished); copy it again",
                                 sb_.end),
                     path_, in_->size()};
    if (!defined(sb_.root)) return corrupt("the file has no root group", 0);
    return {};
}

Result<std::vector<std::byte>> Source::block(std::uint64_t address, std::uint64_t size) const {
    if (!budget_->spend(size))
        return Error{Code::corrupt,
                     "the metadata are larger or more tangled than any real file's (it is damaged, "
                     "or made to keep readers busy); copy the file again, or try h5dump",
                     path_, address + sb_.base};
    auto bytes = read_block(*in_, sb_, address, size);
    if (bytes) return bytes;
    bytes.error().file = path_;
    // A place behind the end of the file is no help.
    if (bytes.error().at > in_->size()) bytes.error().at.reset();
    return bytes;
}

Result<std::vector<std::byte>> Source::block_up_to(std::uint64_t address,
                                                   std::uint64_t most) const {
    std::uint64_t const at = address + sb_.base;
    std::uint64_t const rest = at < address || at > in_->size() ? 0 : in_->size() - at;
    return block(address, std::min(most, std::max<std::uint64_t>(rest, 1)));
}

Result<std::vector<std::byte>> Source::summed_block(std::uint64_t address, std::uint64_t size,
                                                    std::string_view mark,
                                                    std::string_view what) const {
    SLUICE_TRY(auto bytes, block(address, size));
    if (!Cursor(bytes).literal(mark))
        return corrupt(fmt::format("{} lacks its mark {}", what, mark), address);
    if (!sum_holds(bytes))
        return corrupt(fmt::format("{} does not have its checksum", what), address);
    return bytes;
}

bool Source::sum_holds(Bytes block) const {
    return sums_ == Sums::ignore || checksum_holds(block);
}

Error Source::corrupt(std::string_view what, std::uint64_t address) const {
    return {Code::corrupt, fmt::format("{} (the file is damaged here); copy the file again", what),
            path_, address + sb_.base};
}

Error Source::unsupported(std::string_view what, std::uint64_t address) const {
    return {Code::unsupported, std::string(what), path_, address + sb_.base};
}

std::string until_zero(Bytes bytes) {
    std::string s;
    for (std::byte const b : bytes) {
        if (b == std::byte{}) break;
        s.push_back(std::to_integer<char>(b));
    }
    return s;
}

Error Source::placed(Error e, std::uint64_t address) const {
    if (e.file.empty()) e.file = path_;
    if (!e.at) e.at = address + sb_.base;
    return e;
}

}  // namespace sluice::hdf5::object
