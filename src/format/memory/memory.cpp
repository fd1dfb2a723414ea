// Frames out of an array of the caller.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "format/frame_source.h"
#include "sluice/memory_dataset.h"

namespace sluice {
namespace {

static_assert(std::endian::native == std::endian::little);

class ArraySource final : public FrameSource {
  public:
    ArraySource(MemoryArray array, StoredType stored)
        : array_(std::move(array)),
          stored_(stored),
          // Where there is one element along an axis, its stride says nothing.
          dense_((array_.shape[3] == 1 || step(3) == stored.bytes) &&
                 (array_.shape[2] == 1 || step(2) == stored.bytes * array_.shape[3])) {}

    Status fetch(index first, std::span<EncodedFrame> out, FetchScratch& scratch) const override {
        std::size_t const raw = frame_bytes();
        auto const read = static_cast<std::size_t>(pixels() * size_of(read_as(stored_)));
        std::size_t const gathered = dense_ ? 0 : raw, made = as_stored(stored_) ? 0 : read;
        scratch.bytes.resize(out.size() * (gathered + made));
        for (std::size_t i = 0; i < out.size(); ++i) {
            std::byte* const own = scratch.bytes.data() + i * (gathered + made);
            Bytes values = stored_frame(first + static_cast<index>(i), own);
            Conversion changed;
            if (made > 0) {
                changed = convert_values(stored_, values, own + gathered);
                values = {own + gathered, made};
            }
            out[i] = {.encoding = Encoding::values,
                      .bytes = values,
                      .at = static_cast<std::uint64_t>(first) * raw + i * raw,
                      .file = &array_.name,
                      .changed = changed};
        }
        return {};
    }

    std::uint64_t stored_bytes() const override {
        return static_cast<std::uint64_t>(array_.shape[0] * array_.shape[1]) * frame_bytes();
    }

    bool dense() const { return dense_; }

  private:
    MemoryArray array_;
    StoredType stored_;
    bool dense_;  ///< the pixels of a frame lie together

    index step(std::size_t axis) const { return (*array_.strides)[axis]; }
    index pixels() const { return array_.shape[2] * array_.shape[3]; }
    std::size_t frame_bytes() const { return static_cast<std::size_t>(pixels() * stored_.bytes); }

    // The frame where it is, or gathered into `memory`.
    Bytes stored_frame(index frame, std::byte* memory) const {
        index const columns = array_.shape[1];
        std::byte const* const at = static_cast<std::byte const*>(array_.data) +
                                    frame / columns * step(0) + frame % columns * step(1);
        if (dense_) return {at, frame_bytes()};
        auto const size = static_cast<std::size_t>(stored_.bytes);
        std::byte* to = memory;
        for (index r = 0; r < array_.shape[2]; ++r)
            for (index c = 0; c < array_.shape[3]; ++c, to += size)
                std::memcpy(to, at + r * step(2) + c * step(3), size);
        return {memory, frame_bytes()};
    }
};

Result<StoredType> stored_type(MemoryArray const& array) {
    if (auto const type = stored_type_of(array.dtype)) return *type;
    return Error{Code::unsupported,
                 fmt::format("frames of {} (neither counts nor intensities); give integers, "
                             "float16, float32 or float64",
                             name_of(array.dtype)),
                 array.name};
}

// The array with its strides, once its size is known to be one that a program can address.
Result<MemoryArray> checked(MemoryArray array) {
    constexpr index most = index{1} << 62;
    index bytes = size_of(array.dtype);
    std::array<index, 4> dense{};
    for (std::size_t d = 4; d-- > 0;) {
        dense[d] = bytes;
        if (array.shape[d] < 1 || array.shape[d] > most / bytes)
            return Error{Code::invalid_argument,
                         fmt::format("an array of {} (every extent is at least 1, and all of it at "
                                     "most 2^62 bytes); give [scan row][scan column][row][column]",
                                     fmt::join(array.shape, " x ")),
                         array.name};
        bytes *= array.shape[d];
    }
    expects(array.data != nullptr);
    if (!array.strides) array.strides = dense;
    return array;
}

}  // namespace

Result<Dataset> from_memory(MemoryArray const& array) {
    SLUICE_TRY(StoredType const stored, stored_type(array));
    SLUICE_TRY(MemoryArray const held, checked(array));
    auto source = std::make_shared<ArraySource>(held, stored);
    Dataset d;
    d.path = held.name;
    d.format = "memory";
    d.dtype = read_as(stored);
    d.scan = {held.shape[0], held.shape[1]};
    d.frames = d.scan[0] * d.scan[1];
    d.rows = held.shape[2], d.cols = held.shape[3];
    d.scan_from = "array";
    if (std::string const note = conversion_note(stored); !note.empty()) d.notes.push_back(note);
    if (!source->dense())
        d.notes.emplace_back(
            "the pixels of a frame do not lie together in memory; each frame is "
            "copied when it is read");
    d.source = std::move(source);
    return d;
}

}  // namespace sluice
