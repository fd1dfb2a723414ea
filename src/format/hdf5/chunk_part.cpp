// Frames that are chunks: neighbours in the file are read with one read.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "format/hdf5/parts.h"

namespace sluice::hdf5 {
namespace {

// Index nodes stand between chunks; reading over them costs less than another read.
constexpr std::uint64_t widest_gap = 4096;

class ChunkPart final : public Part {
  public:
    ChunkPart(StoredDataset const& d, FrameCode code, std::vector<ChunkRecord> chunks,
              std::shared_ptr<Pools> pools)
        : file_(d.file),
          code_(code),
          frame_bytes_(d.frame_bytes()),
          fill_(d.read_fill()),
          chunks_(std::move(chunks)),
          pools_(std::move(pools)) {
        for (ChunkRecord const& c : chunks_) stored_ += c.bytes;
    }

    std::uint64_t scratch_bytes(index first, index count) const override {
        std::uint64_t n = 0;
        for (Run const& run : runs(first, count)) n += run.size();
        return n;
    }

    Status fetch(index first, index shown, std::span<EncodedFrame> out,
                 std::byte* scratch) const override {
        SLUICE_TRY(auto file, pools_->files.get(file_, [&] { return File::open(file_); }));
        if (!fill_.empty())
            for (EncodedFrame& f : out) f.bytes = fill_;
        for (Run const& run : runs(first, static_cast<index>(out.size()))) {
            for (ChunkRecord const& c : run.chunks)
                SLUICE_CHECK(check(c, frame_shown(c, first, shown), file->size()));
            SLUICE_CHECK(file->read(run.from, {scratch, static_cast<std::size_t>(run.size())}));
            for (ChunkRecord const& c : run.chunks) {
                Bytes const bytes{scratch + (c.address - run.from), c.bytes};
                out[static_cast<std::size_t>(static_cast<index>(c.chunk) - first)] = {
                    encoding(c), bytes, code_.block_elements, c.address, &file_};
            }
            scratch += run.size();
        }
        return {};
    }

    std::uint64_t stored_bytes() const override { return stored_; }

    std::uint64_t index_digest() const override {
        std::uint64_t digest = 0;
        for (ChunkRecord const& c : chunks_)
            digest = digest_after(digest, {c.chunk, c.address, c.bytes, c.filter_mask});
        return digest;
    }

  private:
    struct Run {
        std::uint64_t from, to;
        std::span<ChunkRecord const> chunks;
        std::uint64_t size() const { return to - from; }
    };

    Encoding encoding(ChunkRecord const& c) const {
        return (c.filter_mask & 1) != 0 ? Encoding::values : code_.encoding;
    }
    static index frame_shown(ChunkRecord const& c, index first, index shown) {
        return static_cast<index>(c.chunk) - first + shown;
    }
    /// A chunk that no encoder writes has no scratch: fetch() refuses it by its size.
    bool plausible(ChunkRecord const& c) const { return c.bytes <= 2 * frame_bytes_ + 65536; }

    std::vector<Run> runs(index first, index count) const {
        auto const before = [](ChunkRecord const& c, index f) {
            return c.chunk < static_cast<std::uint64_t>(f);
        };
        auto c = std::lower_bound(chunks_.begin(), chunks_.end(), first, before);
        auto const end = std::lower_bound(c, chunks_.end(), first + count, before);
        std::vector<Run> out;
        for (; c != end; ++c) {
            std::uint64_t const to = c->address + (plausible(*c) ? c->bytes : 0);
            bool const joins = !out.empty() && c->address >= out.back().to &&
                               c->address - out.back().to <= widest_gap;
            if (!joins) {
                out.push_back({c->address, to, {&*c, 1}});
                continue;
            }
            out.back().to = to;
            out.back().chunks = {out.back().chunks.data(), out.back().chunks.size() + 1};
        }
        return out;
    }

    Status check(ChunkRecord const& c, index frame, std::uint64_t file_bytes) const {
        if (!plausible(c) || (encoding(c) == Encoding::values && c.bytes != frame_bytes_))
            return Error{Code::corrupt,
                         fmt::format("frame {} is stored in {} bytes (a frame has {}); copy the "
                                     "file again",
                                     frame, c.bytes, frame_bytes_),
                         file_, c.address};
        if (c.address > file_bytes || c.bytes > file_bytes - c.address)
            return Error{Code::truncated,
                         fmt::format("frame {} lies beyond the end of the file ({} bytes stored "
                                     "here, the file has {}); copy the file again",
                                     frame, c.bytes, file_bytes),
                         file_, c.address};
        return {};
    }

    std::string file_;
    FrameCode code_;
    std::uint64_t frame_bytes_, stored_ = 0;
    std::vector<std::byte> fill_;      // a pixel of a frame that was never written
    std::vector<ChunkRecord> chunks_;  // ascending, numbered by frame of the part
    std::shared_ptr<Pools> pools_;
};

}  // namespace

std::shared_ptr<Part const> chunk_part(StoredDataset const& dataset, FrameCode code,
                                       std::vector<ChunkRecord> chunks,
                                       std::shared_ptr<Pools> pools) {
    return std::make_shared<ChunkPart>(dataset, code, std::move(chunks), std::move(pools));
}

}  // namespace sluice::hdf5
