// ScanClock: the points of a scan by the times of hits.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <limits>
#include <memory>
#include <span>

#include "base/bytes.h"
#include "format/tpx3/chip_layout.h"
#include "format/tpx3/line_starts.h"

namespace sluice::tpx3 {

/// Times are steps of 25/16 ns.
struct ScanPlan {
    index images = 0;
    index per_line = 0;  ///< images of a line, which a start begins; 0: one start begins them all
    double dwell = 0;    ///< of an image; 0: the images of a line divide its time
    std::int64_t window = 640'000;                 ///< so much later hits come than they were: 1 ms
    std::size_t most_hits = std::size_t{1} << 25;  ///< that wait; 8 bytes each
    bool wide = false;                             ///< pixels are put as 32 bits, and not as 16
};

struct ClockCounts {
    index hits = 0;          ///< of images
    index before = 0;        ///< hits before the first start
    index between = 0;       ///< hits between lines: the way back
    index late = 0;          ///< hits of images that were complete
    index no_room = 0;       ///< hits without room; their images are not made
    index hurt = 0;          ///< images that are not made, for bytes beside were damaged
    index lost_starts = 0;   ///< placed by time
    index early_starts = 0;  ///< taken for none
    index longer = 0;        ///< lines with a pause behind them
    index jumped = 0;        ///< counters that jump without a line
    index shorter = 0;       ///< lines that ended before their images
};

/// Images that follow each other without a hole, of one length.
struct ImageRun {
    std::int64_t start = 0, end = 0;
    double length = 0;  ///< of an image
    index first = 0, images = 0;

    /// Which of them has what was so long after the start.
    std::size_t image_of(std::uint64_t after) const {
        auto const i = static_cast<std::size_t>(static_cast<double>(after) * (1 / length));
        return std::min(i, static_cast<std::size_t>(images) - 1);
    }
    /// When one of them begins, or the last one has ended.
    std::int64_t begin_of(std::size_t image) const;
};

/// Hits come in any order within the window. An image is complete when the newest time is a window
/// after its end. What is put does not depend on when pass() is called, as long as hits are not
/// late.
class ScanClock {
  public:
    /// Hears of complete images, in their order, and of their pixels, of any order: 16 or 32 bits
    /// each.
    using Put = std::function<void(index image, Bytes pixels, std::shared_ptr<void const> owner)>;
    /// Hears of all images, in their order, before their pixels are put.
    using Placed = std::function<void(ImageRun const& run)>;
    ScanClock(ScanPlan plan, Put put, Placed placed = {});

    void start(std::int64_t time, int counter);
    void other_edge(int counter) { starts_.other_edge(counter); }
    void hit(std::int64_t time, std::uint32_t pixel) {
        if (left_ > 0 && time >= planned_) extend(time);
        if (time < settled_ || parts_.empty() || pending_ >= plan_.most_hits) return stray(time);
        std::size_t i = parts_.size() - 1;
        while (time < parts_[i].start) --i;
        Part& part = parts_[i];
        auto const after = static_cast<std::uint64_t>(time - part.start);
        if (after >> (64 - pixel_bits) != 0) return stray(time);  // 7 hours
        part.hits.push_back(after << pixel_bits | pixel);
        ++pending_;
    }
    /// Images whose hits lie there are not made.
    void damaged(std::int64_t from, std::int64_t to) { hurt_.emplace_back(from, to); }

    void pass(std::int64_t newest) { complete(newest - plan_.window); }
    /// Nothing waits on its way.
    void settle(std::int64_t newest) { complete(newest); }
    /// How long a line lasts; 0: unknown.
    double usual_line() const { return starts_.usual(); }
    /// Nothing more comes: images that had not ended are not made, but for the last of the scan.
    void finish(std::int64_t newest);

    /// All lines have begun: the next start is that of another scan.
    bool all_lines() const { return lines_ == lines_of_scan(); }
    /// Whether a time lies in the scan's last image, or behind it.
    bool reached_last(std::int64_t time) const;
    bool done() const { return next_ == plan_.images; }
    ClockCounts const& counts() const { return counts_; }

  private:
    static constexpr int pixel_bits = ChipLayout::pixel_bits;
    static constexpr std::uint64_t pixel_mask = (std::uint64_t{1} << pixel_bits) - 1;
    static constexpr std::int64_t open = std::numeric_limits<std::int64_t>::max();
    /// A part of the time, without a hole to the next one.
    struct Part : ImageRun {
        std::vector<std::uint64_t> hits = {};  // time in the part, and pixel
    };
    struct Moved {
        std::int64_t time;
        std::uint32_t pixel;
    };

    void add_part(ImageRun run) { parts_.push_back({run, {}}); }
    index lines_of_scan() const { return (plan_.images + plan_.per_line - 1) / plan_.per_line; }
    void stray(std::int64_t time);
    void begin_line(std::int64_t time, double before);
    void close(std::int64_t end, double length);
    void take_back(std::size_t part, std::int64_t from);
    void put_again();
    void extend(std::int64_t time);
    void complete(std::int64_t time);
    void make(Part& part, std::int64_t newest);
    template <class Pixel>
    void make_of(Part& part, std::int64_t newest);
    bool is_hurt(std::int64_t from, std::int64_t to) const;
    void forget(Part& tail, std::int64_t before);

    ScanPlan plan_;
    Put put_;
    Placed placed_;
    LineStarts starts_ = {};
    ClockCounts counts_ = {};
    std::deque<Part> parts_ = {};
    std::vector<Moved> moved_ = {};
    std::vector<std::uint32_t> places_ = {};
    std::deque<std::pair<std::int64_t, std::int64_t>> hurt_ = {};
    std::size_t pending_ = 0, tail_limit_ = std::size_t{1} << 16;
    index lines_ = 0;              // that began
    std::int64_t line_start_ = 0;  // of the last one
    std::int64_t first_ = 0;       // the first start
    std::int64_t settled_ = 0;     // all before it is complete
    std::int64_t planned_ = 0;     // of the line: parts were made up to here
    index left_ = 0;               // images of the line without a part yet
    index next_ = 0;               // image that is not complete
};

}  // namespace sluice::tpx3
