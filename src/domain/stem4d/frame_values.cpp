// Numbers of consecutive frames.
// SPDX-License-Identifier: Apache-2.0
#include "domain/stem4d/frame_values.h"

#include <algorithm>

namespace sluice::stem4d {

FrameValues::FrameValues(fold::Range frames, index rows, index width)
    : FrameValues(frames, rows, width,
                  std::vector<double>(static_cast<std::size_t>(rows * frames.count() * width))) {}

Result<FrameValues> FrameValues::unpack(fold::Unpacker& in, fold::Range frames, index rows,
                                        index width) {
    auto const count = static_cast<std::uint64_t>(rows * frames.count() * width);
    SLUICE_TRY(std::vector<double> values, in.numbers<double>(count));
    return FrameValues(frames, rows, width, std::move(values));
}

void FrameValues::place(FrameValues const& part) {
    expects(part.rows_ == rows_ && part.width_ == width_ && part.frames_.first >= frames_.first &&
            part.frames_.last <= frames_.last);
    index const size = part.frames_.count() * width_;
    for (index row = 0; row < rows_; ++row)
        std::copy_n(part.values_.data() + row * size, size, at(row, part.frames_.first));
}

}  // namespace sluice::stem4d
