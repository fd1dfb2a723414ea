// Frames of datasets of any chunks, filters, types and order of axes.
// SPDX-License-Identifier: Apache-2.0
#include "format/hdf5/readers.h"

namespace sluice::hdf5 {
namespace {

class BoxPart final : public Part {
  public:
    explicit BoxPart(boxes::BoxFrames frames) : frames_(std::move(frames)) {}

    std::uint64_t scratch_bytes(index, index count) const override {
        return frames_.scratch_bytes(count);
    }
    Status fetch(index first, index shown, std::span<EncodedFrame> out,
                 std::byte* scratch) const override {
        return frames_.fill(first, shown, out, scratch);
    }
    std::uint64_t stored_bytes() const override { return frames_.stored_bytes(); }
    std::uint64_t index_digest() const override { return frames_.index_digest(); }
    std::optional<FrameBlock> block() const override { return frames_.block(); }

  private:
    boxes::BoxFrames frames_;
};

}  // namespace

Result<MadePart> box_part(StoredDataset const& d, boxes::FrameAxes const& axes, Selection selection,
                          Opening& opening) {
    SLUICE_TRY(auto reader, make_reader(d, axes, opening));
    boxes::FrameArray array{d.extent, axes, d.element, d.file};
    SLUICE_TRY(auto missing, boxes::missing_frames(array, *reader, selection));
    if (std::string note = conversion_note(d.element); !note.empty())
        add_note(opening.notes, std::move(note));
    return MadePart{std::make_shared<BoxPart>(
                        boxes::BoxFrames(std::move(array), std::move(reader), selection, missing)),
                    missing};
}

}  // namespace sluice::hdf5
