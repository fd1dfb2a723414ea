// Frames one after the other in a file, and frames that were never written.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "format/hdf5/parts.h"

namespace sluice::hdf5 {
namespace {

class ArrayPart final : public Part {
  public:
    ArrayPart(StoredDataset const& d, Selection s, std::uint64_t offset,
              std::shared_ptr<Pools> pools)
        : file_(d.file),
          selection_(s),
          offset_(offset),
          frame_bytes_(d.frame_bytes()),
          pools_(std::move(pools)) {}

    std::uint64_t scratch_bytes(index, index count) const override {
        return static_cast<std::uint64_t>(count) * frame_bytes_;
    }

    Status fetch(index first, index shown, std::span<EncodedFrame> out,
                 std::byte* scratch) const override {
        SLUICE_TRY(auto file, pools_->files.get(file_, [&] { return File::open(file_); }));
        std::size_t const together = selection_.stride == 1 ? out.size() : 1;
        for (std::size_t i = 0; i < out.size(); i += together) {
            std::uint64_t const at = where(first + static_cast<index>(i));
            std::uint64_t const bytes = together * frame_bytes_;
            if (at > file->size() || bytes > file->size() - at)
                return Error{Code::truncated,
                             fmt::format("frames from {} on lie beyond the end of the file ({} "
                                         "bytes); copy the file again",
                                         shown + static_cast<index>(i), file->size()),
                             file_, at};
            SLUICE_CHECK(file->read(at, {scratch + i * frame_bytes_, bytes}));
        }
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = {Encoding::values,
                      {scratch + i * frame_bytes_, frame_bytes_},
                      0,
                      where(first + static_cast<index>(i)),
                      &file_};
        return {};
    }

    std::uint64_t stored_bytes() const override {
        return static_cast<std::uint64_t>(selection_.count) * frame_bytes_;
    }

    std::uint64_t index_digest() const override {
        return digest_after(0, {offset_, frame_bytes_, static_cast<std::uint64_t>(selection_.first),
                                static_cast<std::uint64_t>(selection_.stride)});
    }

  private:
    std::uint64_t where(index frame) const {
        auto const stored =
            static_cast<std::uint64_t>(selection_.first + frame * selection_.stride);
        return offset_ + stored * frame_bytes_;
    }

    std::string file_;
    Selection selection_;
    std::uint64_t offset_, frame_bytes_;
    std::shared_ptr<Pools> pools_;
};

class MissingPart final : public Part {
  public:
    explicit MissingPart(std::vector<std::byte> fill) : fill_(std::move(fill)) {}
    std::uint64_t scratch_bytes(index, index) const override { return 0; }
    Status fetch(index, index, std::span<EncodedFrame> out, std::byte*) const override {
        for (EncodedFrame& f : out) f = {.encoding = Encoding::missing, .bytes = fill_};
        return {};
    }
    std::uint64_t stored_bytes() const override { return 0; }

  private:
    std::vector<std::byte> fill_;
};

}  // namespace

std::shared_ptr<Part const> array_part(StoredDataset const& dataset, Selection selection,
                                       std::uint64_t offset, std::shared_ptr<Pools> pools) {
    return std::make_shared<ArrayPart>(dataset, selection, offset, std::move(pools));
}

std::shared_ptr<Part const> missing_part(std::vector<std::byte> fill) {
    return std::make_shared<MissingPart>(std::move(fill));
}

}  // namespace sluice::hdf5
