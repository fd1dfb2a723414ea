// Positioned reads of whole runs of frames, converted where memory holds another type.
// SPDX-License-Identifier: Apache-2.0
#include "format/raw/flat_source.h"

#include <algorithm>

namespace sluice {
FlatSource::FlatSource(File file, FlatLayout const& layout)
    : file_(std::move(file)), layout_(layout) {
    expects(layout.present == 0 ||
            (file_.size() >= layout.offset &&
             (file_.size() - layout.offset) / static_cast<std::uint64_t>(layout.present) >=
                 layout.frame_bytes()));
}

Status FlatSource::fetch(index first, std::span<EncodedFrame> out, FetchScratch& scratch) const {
    expects(first >= 0);
    auto const wanted = static_cast<index>(out.size());
    auto const here =
        static_cast<std::size_t>(std::clamp<index>(layout_.present - first, 0, wanted));
    std::size_t const stored = layout_.frame_bytes();
    auto const read = static_cast<std::size_t>(layout_.pixels * size_of(read_as(layout_.stored)));
    bool const direct = as_stored(layout_.stored);
    std::size_t const raw_at = direct ? 0 : here * read;
    scratch.bytes.resize(raw_at + here * stored);
    std::span<std::byte> const raw = std::span(scratch.bytes).subspan(raw_at);
    std::uint64_t const at = layout_.offset + static_cast<std::uint64_t>(first) * stored;
    if (here > 0) SLUICE_CHECK(file_.read(at, raw));
    for (std::size_t i = 0; i < out.size(); ++i) {
        if (i >= here) {
            out[i] = {};
            continue;
        }
        std::byte* const values = scratch.bytes.data() + i * read;
        Conversion changed;
        if (!direct)
            changed = convert_values(layout_.stored, raw.subspan(i * stored, stored), values);
        out[i] = {.encoding = Encoding::values,
                  .bytes = Bytes(values, read),
                  .at = at + i * stored,
                  .file = &file_.path(),
                  .changed = changed};
    }
    return {};
}

std::uint64_t FlatSource::stored_bytes() const {
    return static_cast<std::uint64_t>(layout_.present) * layout_.frame_bytes();
}

}  // namespace sluice
