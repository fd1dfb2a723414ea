// Values that came become bit planes before they wait.
// SPDX-License-Identifier: Apache-2.0
#include "net/as_planes.h"

#include <algorithm>

#include "codec/rowplanes/row_planes.h"
#include "device/isa.h"

namespace sluice::net {
namespace {

// Frames of any values that share memory at least; of few counts many more do.
constexpr std::size_t frames_together = 8;
constexpr std::size_t line = 64;

}  // namespace

WaitingFrame AsPlanes::make(EncodedFrame const& frame, FrameSize size,
                            std::shared_ptr<void const> owner) {
    codec::RowPlanesForm const form{size.rows, size.cols, size.pixel_bytes};
    bool const big = frame.encoding == Encoding::big_endian;
    if ((!big && frame.encoding != Encoding::values) || !form.can_be() ||
        frame.bytes.size() != size.bytes())
        return {frame, std::move(owner)};
    std::size_t const most = (form.bound() + line - 1) / line * line;
    if (!slabs_ || slabs_->bytes() < most) {
        slabs_.emplace(frames_together * most);
        memory_.reset();
    }
    if (!memory_ || slabs_->bytes() - used_ < most) {
        memory_.reset();  // it may be the one that is taken
        memory_ = slabs_->take();
        used_ = 0;
    }
    std::byte* const to = memory_.get() + used_;
    std::size_t const bytes =
        codec::pack_row_planes({frame.bytes.data(), form.bytes, big}, form, chosen_isa(), to);
    used_ += (bytes + line - 1) / line * line;
    EncodedFrame planes = frame;
    planes.encoding = Encoding::row_planes;
    planes.bytes = Bytes(to, bytes);
    return {planes, memory_};
}

}  // namespace sluice::net
