// Which lines begin, out of the edges that came.
// SPDX-License-Identifier: Apache-2.0
#include "format/tpx3/line_starts.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sluice::tpx3 {
namespace {

// A bounce of the signal, and no line, in parts of a line.
constexpr double too_early = 0.4;
// A pause between lines, and no change of their length, if it comes once.
constexpr double too_long = 1.5;

}  // namespace

LineStarts::Next LineStarts::next(std::int64_t time, int counter) {
    int const moved = (counter - std::exchange(counter_, counter)) & 0xfff;
    if (!last_) {
        last_ = time;
        return {};
    }
    auto const interval = static_cast<double>(time - *last_);
    if (interval <= too_early * usual_) return {.early = true};
    last_ = time;
    counts_ = counts_ || moved > 0;
    index const by_counter = std::max(moved - 1, 0);
    bool const known = usual_ > 0;
    index const by_time = known ? std::max(std::llround(interval / usual_) - 1, 0LL) : by_counter;
    Next out{.lost = counts_ ? std::min(by_counter, by_time) : by_time};
    out.jumped = counts_ && by_counter > by_time;
    double const each = interval / static_cast<double>(out.lost + 1);
    out.longer = known && each > too_long * usual_ && ++longer_ < 2;
    out.step = out.longer ? usual_ : each;
    if (!out.longer) usual_ = each, longer_ = 0;
    return out;
}

}  // namespace sluice::tpx3
