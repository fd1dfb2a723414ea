// Sections that are packed by Blosc.
// SPDX-License-Identifier: Apache-2.0
#include "format/mrc/packed.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/bytes.h"
#include "codec/blosc/blosc.h"

namespace sluice::mrc {
namespace {

constexpr std::size_t chunk_header = 16;  // of Blosc
constexpr std::size_t unpacked_at = 4, packed_at = 12;

std::uint64_t frame_bytes(Header const& h) {
    return static_cast<std::uint64_t>(h.rows) * static_cast<std::uint64_t>(h.cols) *
           static_cast<std::uint64_t>(h.stored.bytes);
}

class PackedFrames final : public FrameSource {
  public:
    PackedFrames(std::shared_ptr<Source const> file, PackedPlaces places, Header const& h)
        : file_(std::move(file)),
          places_(std::move(places)),
          stored_(h.stored),
          pixels_(static_cast<std::size_t>(h.rows * h.cols)),
          bytes_(static_cast<std::size_t>(frame_bytes(h))) {}

    Status fetch(index first, std::span<EncodedFrame> out, FetchScratch& scratch) const override {
        std::ranges::fill(out, EncodedFrame{});
        auto const here = static_cast<std::size_t>(
            std::clamp<index>(places_.sections() - first, 0, std::ssize(out)));
        std::size_t const values_bytes =
            pixels_ * static_cast<std::size_t>(size_of(read_as(stored_)));
        scratch.bytes.resize(here * values_bytes);
        std::vector<std::byte> packed, stored(bytes_);
        for (std::size_t i = 0; i < here; ++i) {
            std::size_t const number = static_cast<std::size_t>(first) + i;
            std::uint64_t const at = places_.begin[number];
            packed.resize(static_cast<std::size_t>(places_.begin[number + 1] - at));
            SLUICE_CHECK(file_->read(at, packed));
            auto unpacked = codec::blosc_decompress(packed, stored);
            if (unpacked && *unpacked != bytes_)
                unpacked = Error{Code::corrupt, "it is shorter than its section"};
            if (!unpacked) {
                Error e = unpacked.error();
                e.message = fmt::format("section {}: {}", number, e.message);
                e.file = file_->name(), e.at = at;
                return e;
            }
            auto const values = std::span(scratch.bytes).subspan(i * values_bytes, values_bytes);
            out[i] = {
                .encoding = Encoding::values, .bytes = values, .at = at, .file = &file_->name()};
            out[i].changed = convert_values(stored_, stored, values.data());
        }
        return {};
    }

    std::uint64_t stored_bytes() const override {
        return places_.begin.back() - places_.begin.front();
    }

  private:
    std::shared_ptr<Source const> file_;
    PackedPlaces places_;
    StoredType stored_;
    std::size_t pixels_, bytes_;
};

}  // namespace

Result<PackedPlaces> find_sections(Source const& file, Header const& h) {
    PackedPlaces out;
    std::uint64_t at = h.data_at;
    std::uint64_t const size = file.size();
    out.begin.push_back(at);
    for (index i = 0; i < h.sections && at < size && size - at >= chunk_header; ++i) {
        std::array<std::byte, chunk_header> head{};
        SLUICE_CHECK(file.read(at, head));
        std::uint64_t const unpacked = load_le<std::uint32_t>(head.data() + unpacked_at),
                            packed = load_le<std::uint32_t>(head.data() + packed_at);
        if (unpacked != frame_bytes(h) || packed < chunk_header)
            return Error{Code::corrupt,
                         fmt::format("section {} has {} bytes packed into {}, and a frame of {}x{} "
                                     "has {}; the file is damaged",
                                     i, unpacked, packed, h.rows, h.cols, frame_bytes(h)),
                         file.name(), at};
        if (packed > size - at) break;
        out.begin.push_back(at += packed);
    }
    return out;
}

std::shared_ptr<FrameSource const> packed_frames(std::shared_ptr<Source const> file,
                                                 PackedPlaces places, Header const& h) {
    return std::make_shared<PackedFrames>(std::move(file), std::move(places), h);
}

}  // namespace sluice::mrc
