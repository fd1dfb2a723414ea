// The points of a scan by the times of hits.
// SPDX-License-Identifier: Apache-2.0
#include "format/tpx3/scan_clock.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "sluice/result.h"

namespace sluice::tpx3 {
namespace {

// Of one part of a line: what is held of images that are complete is small beside the window.
constexpr double most_images = 4096;

std::int64_t rounded(double time) {
    return std::llround(time);
}

}  // namespace

std::int64_t ImageRun::begin_of(std::size_t image) const {
    return start + rounded(length * static_cast<double>(image));
}

ScanClock::ScanClock(ScanPlan plan, Put put, Placed placed)
    : plan_(plan), put_(std::move(put)), placed_(std::move(placed)) {
    expects(plan_.images > 0 && plan_.window >= 0 && plan_.dwell >= 0);
    if (plan_.per_line == 0) plan_.per_line = plan_.images;
}

void ScanClock::stray(std::int64_t time) {
    if (lines_ == 0 || time < first_) {
        ++counts_.before;
    } else if (time < settled_ || parts_.empty()) {
        ++counts_.late;
    } else {
        ++counts_.no_room;
        // One for many, or they would take the room.
        if (hurt_.empty() || std::abs(time - hurt_.back().second) > plan_.window)
            hurt_.emplace_back(time, time);
        hurt_.back().first = std::min(hurt_.back().first, time);
        hurt_.back().second = std::max(hurt_.back().second, time);
    }
}

void ScanClock::start(std::int64_t time, int counter) {
    auto const next = starts_.next(time, counter);
    if (lines_ > 0 && next.early) {
        ++counts_.early_starts;
        return;
    }
    if (all_lines()) return;
    counts_.longer += next.longer;
    counts_.jumped += next.jumped;
    std::int64_t const from = line_start_;
    for (index k = 1; k <= next.lost && !all_lines(); ++k) {
        ++counts_.lost_starts;
        begin_line(from + rounded(next.step * static_cast<double>(k)), next.step);
    }
    if (!all_lines()) begin_line(time, next.step);
}

// `before` is how long the images of the line before have.
void ScanClock::begin_line(std::int64_t time, double before) {
    moved_.clear();
    if (lines_ == 0) {
        first_ = settled_ = time;
    } else {
        // Images at the end of the line before may have no hits.
        if (left_ > 0) extend(time);
        bool cut = left_ > 0;
        while (!parts_.empty() && parts_.back().start >= time) {
            cut = cut || parts_.back().images > 0;
            take_back(parts_.size() - 1, 0);
            parts_.pop_back();
        }
        counts_.shorter += cut;
        if (!parts_.empty())
            close(time, before);
        else if (settled_ < time)
            add_part({.start = settled_, .end = time});
    }
    line_start_ = planned_ = time;
    index const first = lines_ * plan_.per_line;
    left_ = std::min(plan_.per_line, plan_.images - first);
    ++lines_;
    if (plan_.dwell == 0) {
        add_part({.start = time, .end = open, .first = first, .images = left_});
        left_ = 0;
    } else {
        extend(time);
    }
    put_again();
}

// The line that lasts ends there; its images divide `length`.
void ScanClock::close(std::int64_t end, double length) {
    Part& last = parts_.back();
    if (last.end == open && last.images > 0) {
        std::int64_t const images_end = std::min(end, last.start + rounded(length));
        last.length = length / static_cast<double>(last.images);
        take_back(parts_.size() - 1, images_end);
        last.end = images_end;
        // One step is rounding, and no pause.
        if (end - images_end > 1)
            add_part({.start = images_end, .end = end});
        else
            last.end = end;
        return;
    }
    take_back(parts_.size() - 1, end);
    last.end = std::min(last.end, end);
    if (last.end < end) add_part({.start = last.end, .end = end});
}

// Hits from that time on are to be put into parts again.
void ScanClock::take_back(std::size_t part, std::int64_t from) {
    Part& p = parts_[part];
    std::erase_if(p.hits, [&](std::uint64_t hit) {
        std::int64_t const time = p.start + static_cast<std::int64_t>(hit >> pixel_bits);
        if (time < from) return false;
        moved_.push_back({time, static_cast<std::uint32_t>(hit & pixel_mask)});
        return true;
    });
}

void ScanClock::put_again() {
    pending_ -= moved_.size();
    for (Moved const& m : moved_) hit(m.time, m.pixel);
    moved_.clear();
}

// Parts of the line up to that time, and what lies between it and the next line.
void ScanClock::extend(std::int64_t time) {
    auto const most = static_cast<index>(
        std::clamp(static_cast<double>(plan_.window) / plan_.dwell, 1.0, most_images));
    index const last = std::min(lines_ * plan_.per_line, plan_.images);
    index const line_first = (lines_ - 1) * plan_.per_line;
    while (left_ > 0 && planned_ <= time) {
        index const images = std::min(left_, most), first = last - left_;
        std::int64_t const end =
            line_start_ + rounded(plan_.dwell * static_cast<double>(first + images - line_first));
        add_part({.start = planned_,
                  .end = end,
                  .length = plan_.dwell,
                  .first = first,
                  .images = images});
        planned_ = end;
        left_ -= images;
        if (left_ == 0) add_part({.start = end, .end = open});
    }
}

bool ScanClock::reached_last(std::int64_t time) const {
    if (lines_ == 0 || !all_lines()) return false;
    double const length =
        plan_.dwell > 0 ? plan_.dwell : starts_.usual() / static_cast<double>(plan_.per_line);
    index const before = plan_.images - (lines_ - 1) * plan_.per_line - 1;
    return length > 0 &&
           static_cast<double>(time - line_start_) >= length * static_cast<double>(before);
}

// All that was before that time has come.
void ScanClock::complete(std::int64_t time) {
    if (lines_ == 0) return;
    if (left_ > 0 && planned_ <= time) extend(time);
    // The last line ends without a next one.
    std::int64_t const usual = rounded(starts_.usual());
    if (plan_.dwell == 0 && all_lines() && usual > 0 && parts_.back().images > 0 &&
        parts_.back().end == open && line_start_ + usual <= time) {
        moved_.clear();
        close(line_start_ + usual, starts_.usual());
        add_part({.start = line_start_ + usual, .end = open});
        put_again();
    }
    while (!parts_.empty() && parts_.front().end <= time) {
        make(parts_.front(), open);
        settled_ = parts_.front().end;
        parts_.pop_front();
    }
    if (!parts_.empty() && parts_.back().images == 0) forget(parts_.back(), time);
    while (!hurt_.empty() && hurt_.front().second < settled_) hurt_.pop_front();
}

// The way back may last as long as it likes: its hits are counted, and not kept.
void ScanClock::forget(Part& tail, std::int64_t before) {
    if (tail.hits.size() < tail_limit_ || before <= tail.start) return;
    auto const limit = static_cast<std::uint64_t>(before - tail.start) << pixel_bits;
    auto const gone = std::erase_if(tail.hits, [&](std::uint64_t hit) { return hit < limit; });
    counts_.between += static_cast<index>(gone);
    pending_ -= gone;
    tail_limit_ = std::max(std::size_t{1} << 16, 2 * tail.hits.size());
}

bool ScanClock::is_hurt(std::int64_t from, std::int64_t to) const {
    return std::ranges::any_of(hurt_,
                               [&](auto const& h) { return h.first < to && h.second >= from; });
}

void ScanClock::make(Part& part, std::int64_t newest) {
    pending_ -= part.hits.size();
    auto const count = static_cast<index>(part.hits.size());
    if (part.images == 0) {
        counts_.between += count;
        return;
    }
    if (placed_) placed_(part);
    if (plan_.wide)
        make_of<std::uint32_t>(part, newest);
    else
        make_of<std::uint16_t>(part, newest);
    next_ = part.first + part.images;
}

// By counting, in two passes.
template <class Pixel>
void ScanClock::make_of(Part& part, std::int64_t newest) {
    auto const images = static_cast<std::size_t>(part.images);
    auto const image_of = [&](std::uint64_t hit) { return part.image_of(hit >> pixel_bits); };
    places_.assign(images + 1, 0);
    for (std::uint64_t const hit : part.hits) ++places_[image_of(hit) + 1];
    for (std::size_t i = 0; i < images; ++i) places_[i + 1] += places_[i];
    std::shared_ptr<Pixel[]> const pixels =
        std::make_shared_for_overwrite<Pixel[]>(part.hits.size());
    for (std::uint64_t const hit : part.hits)
        pixels[places_[image_of(hit)]++] = static_cast<Pixel>(hit & pixel_mask);
    std::size_t from = 0;
    for (std::size_t i = 0; i < images; ++i) {
        std::size_t const to = places_[i];
        index const image = part.first + static_cast<index>(i);
        std::int64_t const begin = part.begin_of(i), end = std::min(part.begin_of(i + 1), part.end);
        bool const ended = end <= newest || (image + 1 == plan_.images && begin <= newest);
        bool const hurt = is_hurt(begin, end);
        counts_.hurt += hurt;
        if (begin < part.end && ended && !hurt) {
            counts_.hits += static_cast<index>(to - from);
            put_(image, std::as_bytes(std::span(pixels.get() + from, to - from)), pixels);
        }
        from = to;
    }
}

void ScanClock::finish(std::int64_t newest) {
    settle(newest);
    if (parts_.empty()) return;
    // The line that lasts, as far as its length is known.
    Part const& last = parts_.back();
    if (last.end == open && last.images > 0 && starts_.usual() > 0) {
        moved_.clear();
        close(line_start_ + rounded(starts_.usual()), starts_.usual());
        for (Moved const& m : moved_) counts_.between += m.time >= first_;
        pending_ -= moved_.size();
    }
    for (Part& part : parts_)
        if (part.length > 0 || part.images == 0) make(part, newest);
    settled_ = open;
    left_ = 0;
    parts_.clear();
}

}  // namespace sluice::tpx3
