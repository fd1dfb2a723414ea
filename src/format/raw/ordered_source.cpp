// Frames by boxes of the file.
// SPDX-License-Identifier: Apache-2.0
#include "format/raw/ordered_source.h"

#include "format/boxes/box_frames.h"
#include "format/boxes/flat_blocks.h"

namespace sluice {

Result<std::shared_ptr<FrameSource const>> ordered_source(File file, OrderedArray const& a) {
    boxes::Sides const extent(a.shape.begin(), a.shape.end());
    auto const element = static_cast<std::size_t>(a.stored.bytes);
    auto const shared = std::make_shared<File const>(std::move(file));
    auto const room = shared->size() < a.offset ? 0 : (shared->size() - a.offset) / element;
    if (!boxes::product_of(extent, room))
        return Error{Code::truncated,
                     "the file ends before its array does (in this order of axes the end of every "
                     "frame would be missing); copy it again",
                     shared->path(), shared->size()};
    SLUICE_TRY(auto reader, boxes::flat_reader({extent, element, a.offset, a.axes}, [shared] {
                   return Result<std::shared_ptr<File const>>(shared);
               }));
    boxes::FrameArray array{extent, a.axes, a.stored, shared->path()};
    index const frames = array.frames();
    std::shared_ptr<FrameSource const> source = std::make_shared<boxes::BoxFrames const>(
        std::move(array), std::move(reader), boxes::Selection{0, 1, frames},
        std::vector<FrameRun>{});
    return source;
}

}  // namespace sluice
