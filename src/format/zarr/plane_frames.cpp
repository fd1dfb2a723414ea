// Chunks of shuffled bits become bit planes of frames, without values in between.
// SPDX-License-Identifier: Apache-2.0
#include "format/zarr/plane_frames.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "codec/lz4planes/lz4planes.h"
#include "codec/rowplanes/row_planes.h"
#include "device/isa.h"

namespace sluice::zarr_scan {
namespace {

// Each thread needs two more chunks of memory for as long as it decodes one.
constexpr index most_chunk_bytes = 64 << 20;

/// Where a packed frame of a chunk is.
struct Piece {
    std::uint64_t begin = 0, size = 0;
};

class PlaneFrames final : public FrameSource, public Indexed {
  public:
    PlaneFrames(zarr::Reader reader, boxes::FrameArray array,
                std::shared_ptr<boxes::BoxFrames const> values, std::uint64_t keep)
        : reader_(std::move(reader)),
          array_(std::move(array)),
          values_(std::move(values)),
          form_{array_.rows(), array_.cols(), array_.stored.bytes},
          cache_(boxes::most_kept_bytes),
          owner_(cache_.new_owner()) {
        for (std::size_t const d : array_.axes.scan) frames_ *= chunk_side(d);
        auto const chunk = static_cast<std::uint64_t>(reader_.layout().chunk_bytes());
        // Packed chunks are counted at their largest.
        cache_.grow((keep + chunk - 1) / chunk * room_bytes());
    }

    // Packed frames are small: they are copied, and chunks are the cache's alone.
    Status fetch(index first, std::span<EncodedFrame> out, FetchScratch& scratch) const override {
        std::vector<Piece> places;
        scratch.bytes.clear();
        boxes::Block chunk;
        std::uint64_t number = 0;
        // A scan may ask for more frames than the array has.
        auto const there = static_cast<std::size_t>(
            std::clamp<index>(array_.frames() - first, 0, std::ssize(out)));
        for (std::size_t i = 0; i < there; ++i) {
            Place const place = place_of(first + static_cast<index>(i));
            if (!chunk || place.number != number) {
                auto got = chunk_at(place);
                if (!got) return located(std::move(got).error(), first + static_cast<index>(i));
                chunk = *std::move(got);
                number = place.number;
            }
            Piece piece;
            std::memcpy(&piece, chunk->data() + place.slot * sizeof piece, sizeof piece);
            Bytes const frame = Bytes(*chunk).subspan(piece.begin, piece.size);
            places.push_back({scratch.bytes.size(), piece.size});
            scratch.bytes.insert(scratch.bytes.end(), frame.begin(), frame.end());
        }
        std::ranges::fill(out, EncodedFrame{.encoding = Encoding::missing, .bytes = array_.beyond});
        for (std::size_t i = 0; i < there; ++i)
            out[i] = {.encoding = Encoding::row_planes,
                      .bytes = Bytes(scratch.bytes).subspan(places[i].begin, places[i].size),
                      .file = &array_.file};
        return {};
    }

    std::uint64_t stored_bytes() const override { return values_->stored_bytes(); }
    std::uint64_t index_digest() const override { return values_->index_digest(); }
    std::optional<FrameBlock> block() const override { return values_->block(); }

  private:
    struct Place {
        std::uint64_t number = 0;  ///< of the chunk
        std::vector<index> chunk;  ///< along each axis
        std::size_t slot = 0;      ///< of the frame in it
    };

    index chunk_side(std::size_t d) const { return reader_.layout().chunk[d]; }
    std::size_t room_bytes() const {
        return static_cast<std::size_t>(frames_) * (sizeof(Piece) + form_.bound());
    }

    Place place_of(index frame) const {
        boxes::Box const box = array_.frame(frame);
        Place place{.chunk = std::vector<index>(box.start.size())};
        for (std::size_t const d : array_.axes.scan) {
            auto const at = static_cast<index>(box.start[d]), side = chunk_side(d);
            place.chunk[d] = at / side;
            auto const chunks = (array_.extent[d] - 1) / static_cast<std::uint64_t>(side) + 1;
            place.number = place.number * chunks + static_cast<std::uint64_t>(at / side);
            place.slot =
                place.slot * static_cast<std::size_t>(side) + static_cast<std::size_t>(at % side);
        }
        return place;
    }

    Error located(Error e, index frame) const {
        if (e.file.empty()) e.file = reader_.file_of(place_of(frame).chunk);
        e.message = fmt::format("frame {}: {}", frame, e.message);
        return e;
    }

    Result<boxes::Block> chunk_at(Place const& place) const {
        return cache_.get(owner_, place.number, room_bytes(),
                          [&]() -> Result<std::vector<std::byte>> {
                              std::vector<std::byte> out = cache_.take(room_bytes());
                              SLUICE_CHECK(pack(place.chunk, out));
                              return out;
                          });
    }

    /// Fills `out` with the frames of a chunk behind their places.
    Status pack(std::vector<index> const& at, std::span<std::byte> out) const {
        std::uint64_t end = static_cast<std::uint64_t>(frames_) * sizeof(Piece);
        auto const add = [&](index f, auto&& pack_one) {
            Piece const piece{end, pack_one(out.data() + end)};
            std::memcpy(out.data() + f * static_cast<index>(sizeof piece), &piece, sizeof piece);
            end += piece.size;
        };
        auto const from_values = [&](index f, std::byte const* values) {
            add(f, [&](std::byte* to) {
                return codec::pack_row_planes({values, form_.bytes}, form_, chosen_isa(), to);
            });
        };
        zarr::Layout const& l = reader_.layout();
        auto const frame_bytes = form_.pixels() * form_.bytes;
        SLUICE_TRY(auto const place, reader_.locate(at));
        if (!place) {
            std::vector<std::byte> fill(static_cast<std::size_t>(frame_bytes));
            for (std::size_t i = 0; i < fill.size(); ++i) fill[i] = l.fill[i % l.fill.size()];
            for (index f = 0; f < frames_; ++f) from_values(f, fill.data());
            return {};
        }
        SLUICE_CHECK(reader_.check_size(place->size));
        std::vector<std::byte> encoded(place->size);
        SLUICE_CHECK(reader_.read(at, *place, encoded));
        // Planes of a frame do not begin a power of two apart, where a cache holds few of them.
        index const plane = form_.pixels() / 8, stride = frames_ * plane + 64;
        auto const planes = static_cast<std::size_t>(8 * form_.bytes * stride);
        std::vector<std::byte> memory =
            spare_.take(planes + static_cast<std::size_t>(l.chunk_bytes()) + codec::planes_slack);
        auto const count = zarr::planes_of_chunk(l, encoded, chosen_isa(),
                                                 {memory.data(), stride, memory.data() + planes});
        Status done;
        if (!count) {
            done = count.error();
        } else if (*count) {
            for (index f = 0; f < frames_; ++f)
                add(f, [&](std::byte* to) {
                    return codec::pack_row_planes(memory.data() + f * plane, stride, **count, form_,
                                                  to);
                });
        } else if ((done = reader_.decode(encoded, std::span(memory).first(static_cast<std::size_t>(
                                                       l.chunk_bytes()))))) {
            for (index f = 0; f < frames_; ++f) from_values(f, memory.data() + f * frame_bytes);
        }
        spare_.give(std::move(memory));
        return done;
    }

    zarr::Reader reader_;
    boxes::FrameArray array_;
    std::shared_ptr<boxes::BoxFrames const> values_;
    codec::RowPlanesForm form_;
    index frames_ = 1;  ///< of a chunk
    mutable boxes::BlockCache cache_;
    std::uint64_t owner_;
    mutable boxes::SpareBlocks spare_;
};

}  // namespace

bool may_be_planes(zarr::Layout const& l, boxes::FrameArray const& a) {
    std::size_t const rank = l.shape.size();
    for (std::size_t i = 0; i < a.axes.scan.size(); ++i)
        if (a.axes.scan[i] != i) return false;
    if (a.axes.scan.size() + 2 != rank || a.axes.row != rank - 2 || a.axes.col != rank - 1)
        return false;
    index next = 1;
    for (std::size_t d = rank; d-- > 0; next *= l.chunk[d])
        if (l.stride[d] != next) return false;
    bool const whole = l.chunk[rank - 2] == a.rows() && l.chunk[rank - 1] == a.cols();
    codec::RowPlanesForm const form{a.rows(), a.cols(), a.stored.bytes};
    if (!whole || !as_stored(a.stored) || read_as(a.stored) == DType::f32 || !form.can_be())
        return false;
    // Where frames are tiny, their places take more memory than they do.
    auto const bytes = static_cast<std::size_t>(form.pixels() * form.bytes);
    bool const small = sizeof(Piece) + form.bound() > 2 * bytes;
    return l.bits_shuffled && !small && l.chunk_bytes() <= most_chunk_bytes;
}

std::shared_ptr<FrameSource const> plane_frames(zarr::Reader reader, boxes::FrameArray array,
                                                std::shared_ptr<boxes::BoxFrames const> values,
                                                std::uint64_t keep) {
    return std::make_shared<PlaneFrames>(std::move(reader), std::move(array), std::move(values),
                                         keep);
}

}  // namespace sluice::zarr_scan
