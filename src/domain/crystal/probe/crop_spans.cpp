// Packs round crops.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/probe/crop_spans.h"

#include <algorithm>

namespace sluice::crystal {
namespace {

index up_to(index n, index multiple) {
    return (n + multiple - 1) / multiple * multiple;
}

}  // namespace

std::vector<CropSpan> crop_spans(float const* inside, index side) {
    std::vector<CropSpan> spans;
    index at = 0;
    for (index r = 0; r < side; ++r) {
        float const* const row = inside + r * side;
        auto const is_inside = [](float w) { return w != 0; };
        float const* const first = std::find_if(row, row + side, is_inside);
        if (first == row + side) continue;
        index end = side;
        while (!is_inside(row[end - 1])) --end;
        index begin = first - row;
        begin = std::min(begin, side - up_to(end - begin, 8));
        spans.push_back({r, begin, end - begin, at});
        at += end - begin;
    }
    return spans;
}

index pixels_of(std::span<CropSpan const> spans) {
    return spans.empty() ? 0 : up_to(spans.back().at + spans.back().count, 16);
}

void pack(std::span<CropSpan const> spans, float const* square, index side, float* to) {
    for (CropSpan const& s : spans) std::copy_n(square + s.row * side + s.col, s.count, to + s.at);
}

}  // namespace sluice::crystal
