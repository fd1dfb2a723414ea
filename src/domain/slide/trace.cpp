// Spans of time, collected without a lock.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "sluice/slide.h"

namespace sluice::slide {

std::string_view name_of(Phase phase) {
    constexpr std::string_view names[] = {"open",   "plan",    "locate", "read",
                                          "decode", "compose", "wait"};
    return phase < Phase::count ? names[static_cast<std::size_t>(phase)] : std::string_view();
}

Trace::Trace(int workers)
    : start_(std::chrono::steady_clock::now()), lists_(static_cast<std::size_t>(workers)) {}

std::int64_t Trace::now() const {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() -
                                                                start_)
        .count();
}

void Trace::add(Span const& span) {
    expects(span.worker >= 0 && span.worker < std::ssize(lists_));
    lists_[static_cast<std::size_t>(span.worker)].push_back(span);
}

std::vector<Span> Trace::spans() const {
    std::vector<Span> all;
    for (auto const& list : lists_) all.insert(all.end(), list.begin(), list.end());
    std::stable_sort(all.begin(), all.end(),
                     [](Span const& a, Span const& b) { return a.begin_ns < b.begin_ns; });
    return all;
}

Stats& Stats::operator+=(Stats const& o) {
    tiles_hit += o.tiles_hit;
    tiles_hidden += o.tiles_hidden;
    tiles_decoded += o.tiles_decoded;
    tiles_bad += o.tiles_bad;
    bytes_read += o.bytes_read;
    pixels_decoded += o.pixels_decoded;
    pixels_returned += o.pixels_returned;
    pixels_region += o.pixels_region;
    pixels_background += o.pixels_background;
    tiles_rounded += o.tiles_rounded;
    return *this;
}

}  // namespace sluice::slide
