// keep_measured(): leaves out counts that were not measured, and sets negative ones to 0.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/plural.h"
#include "domain/ptychography/input/frames_in.h"

namespace sluice::ptycho {

std::string note_of_negative(Negative const& n) {
    return fmt::format(
        "{} taken as 0, which adds {:.2g} % to the intensity",
        plural(n.count, "count is below 0 (noise): it is", "counts are below 0 (noise): they are"),
        n.all > 0 ? 100 * n.sum / n.all : 0.0);
}

namespace {

using stem4d::Patterns;

// Which counts are missing, among pixels that are not bad.
struct Lacking {
    std::vector<index> of_pattern = {}, of_pixel = {};
};

class LeavingOut {
  public:
    LeavingOut(Patterns& patterns, std::vector<float>& counts)
        : patterns_(patterns),
          counts_(counts),
          pixels_(patterns.size * patterns.size),
          held_(std::ssize(counts) / pixels_) {}

    // How many counts were not measured.
    Result<std::uint64_t> run(std::vector<std::string>* notes) {
        Lacking const lacking = survey();
        auto const said = [&](std::string text) {
            if (notes) notes->push_back(std::move(text));
        };
        if (negative_.count > 0) said(note_of_negative(negative_));
        if (lacks_ == 0) return lacks_;
        // The choice of what to leave out needs all patterns: ranks would choose differently.
        if (held_ != patterns_.count())
            return Error{Code::unsupported,
                         fmt::format("{} not measured (NaN or infinite; ranks that share "
                                     "the patterns cannot leave them out) mask pixels that never "
                                     "count, or reconstruct on one rank",
                                     plural(lacks_, "count was", "counts were"))};
        std::vector<std::uint8_t> empty(static_cast<std::size_t>(held_));
        for (std::size_t j = 0; j < empty.size(); ++j)
            empty[j] = lacking.of_pattern[j] >= good_pixels();
        auto const measured = held_ - std::ranges::count(empty, std::uint8_t{1});
        mark(lacking, empty, measured / 10);
        std::vector<std::uint8_t> out = still_lacking();
        index const partly = std::ranges::count(out, std::uint8_t{1}) - (held_ - measured);
        bool const too_many = 2 * partly > measured;
        if (too_many) {
            mark(lacking, empty, 0);
            out = empty;
        }
        SLUICE_CHECK(check(measured));
        said(plural(lacks_, "count was not measured (NaN or infinite) and is",
                    "counts were not measured (NaN or infinite) and are") +
             " left out");
        if (marked_ > 0)
            said(fmt::format("{} counts in {}of the patterns: {} left out of all",
                             plural(marked_, "pixel lacks", "pixels lack"),
                             too_many ? "some " : "more than a tenth ",
                             marked_ == 1 ? "it is" : "they are"));
        leave_out(out, held_ - measured, said);
        return lacks_;
    }

  private:
    bool is_bad(index q) const {
        return !patterns_.bad.empty() && patterns_.bad[static_cast<std::size_t>(q)] != 0;
    }
    index good_pixels() const {
        return pixels_ - std::ranges::count_if(patterns_.bad, [](auto b) { return b != 0; });
    }

    Lacking survey() {
        Lacking found{std::vector<index>(static_cast<std::size_t>(held_)),
                      std::vector<index>(static_cast<std::size_t>(pixels_))};
        for (index j = 0; j < held_; ++j)
            for (index q = 0; q < pixels_; ++q) {
                float& v = counts_[static_cast<std::size_t>(j * pixels_ + q)];
                if (is_bad(q)) {
                    v = 0;
                } else if (!std::isfinite(v)) {
                    ++found.of_pattern[static_cast<std::size_t>(j)];
                    ++found.of_pixel[static_cast<std::size_t>(q)];
                    ++lacks_;
                } else if (v < 0) {
                    negative_.add(v);
                    v = 0;
                } else {
                    negative_.all += static_cast<double>(v);
                }
            }
        return found;
    }

    // Marks pixels that are missing in more than so many of the patterns that are not empty.
    void mark(Lacking const& lacking, std::span<std::uint8_t const> empty, index more_than) {
        index const lost = std::ranges::count(empty, std::uint8_t{1});
        patterns_.bad.resize(static_cast<std::size_t>(pixels_));
        for (std::size_t q = 0; q < patterns_.bad.size(); ++q)
            if (!patterns_.bad[q] && lacking.of_pixel[q] - lost > more_than)
                patterns_.bad[q] = 1, ++marked_;
    }

    std::vector<std::uint8_t> still_lacking() const {
        std::vector<std::uint8_t> out(static_cast<std::size_t>(held_));
        for (index j = 0; j < held_; ++j)
            for (index q = 0; q < pixels_ && !out[static_cast<std::size_t>(j)]; ++q)
                out[static_cast<std::size_t>(j)] =
                    !is_bad(q) &&
                    !std::isfinite(counts_[static_cast<std::size_t>(j * pixels_ + q)]);
        return out;
    }

    Status check(index measured) const {
        if (measured == 0)
            return Error{Code::invalid_argument,
                         "no pattern was measured (all counts are NaN or infinite) read the right "
                         "array"};
        if (good_pixels() >= marked_) return {};
        return Error{Code::invalid_argument,
                     fmt::format("{} counts were not measured (NaN or infinite), all over the "
                                 "patterns: leaving their pixels out leaves {} of {} (most of a "
                                 "pattern is needed) fill them in, or mask what is broken",
                                 lacks_, good_pixels(), pixels_)};
    }

    template <class Say>
    void leave_out(std::span<std::uint8_t const> out, index empty, Say const& said) {
        index const left = std::ranges::count(out, std::uint8_t{1});
        index to = 0;
        for (index j = 0; j < held_; ++j) {
            if (out[static_cast<std::size_t>(j)]) continue;
            std::copy_n(counts_.begin() + j * pixels_, pixels_, counts_.begin() + to * pixels_);
            patterns_.positions[static_cast<std::size_t>(to++)] =
                patterns_.positions[static_cast<std::size_t>(j)];
        }
        counts_.resize(static_cast<std::size_t>(to * pixels_));
        // The missing counts that remain are in bad pixels.
        for (float& v : counts_)
            if (!std::isfinite(v)) v = 0;
        if (left > 0) patterns_.positions.resize(static_cast<std::size_t>(to));
        if (empty > 0)
            said(plural(empty, "pattern was not measured at all and is",
                        "patterns were not measured at all and are") +
                 " left out");
        if (left > empty)
            said(plural(left - empty, "pattern lacks counts in pixels that others have, and is",
                        "patterns lack counts in pixels that others have, and are") +
                 " left out");
        if (std::ranges::none_of(patterns_.bad, [](auto b) { return b != 0; }))
            patterns_.bad.clear();
    }

    Patterns& patterns_;
    std::vector<float>& counts_;
    index pixels_, held_;
    std::uint64_t lacks_ = 0;
    index marked_ = 0;
    Negative negative_;
};

}  // namespace

Result<std::uint64_t> leave_out_unmeasured(Patterns& patterns, std::vector<std::string>* notes) {
    auto* const counts = std::get_if<std::vector<float>>(&patterns.counts);
    index const pixels = patterns.size * patterns.size;
    // The reconstruction refuses parts that do not fit together.
    if (!counts || pixels < 1 || std::ssize(*counts) % pixels != 0 ||
        std::ssize(*counts) / pixels > patterns.count() ||
        (!patterns.bad.empty() && std::ssize(patterns.bad) != pixels))
        return 0;
    return LeavingOut(patterns, *counts).run(notes);
}

}  // namespace sluice::ptycho

namespace sluice::stem4d {

Status keep_measured(Patterns& patterns, std::vector<std::string>* notes) {
    auto const done = ptycho::leave_out_unmeasured(patterns, notes);
    return done ? Status{} : done.error();
}

}  // namespace sluice::stem4d
