// Piece: a mapping of a virtual dataset, as boxes of its source.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <memory>
#include <optional>

#include "format/boxes/box.h"
#include "format/hdf5/virtual.h"

namespace sluice::hdf5 {

using boxes::Box;
using boxes::BoxReader;
using boxes::Sides;
using boxes::Target;

/// Numbers first .. end - 1 of what a line takes.
struct Range {
    std::uint64_t first = 0, end = 0;
    std::uint64_t size() const { return end - first; }
};

/// How the elements of a source stand in the virtual dataset.
class Piece {
  public:
    /// Nothing if the two selections cannot be laid over each other.
    static std::optional<Piece> make(std::vector<Line> here, std::vector<Line> there,
                                     Sides there_extent, std::shared_ptr<BoxReader const> reader) {
        Piece p;
        p.here_ = std::move(here);
        p.there_ = std::move(there);
        p.extent_ = std::move(there_extent);
        p.reader_ = std::move(reader);
        return p.pair() ? std::optional(std::move(p)) : std::nullopt;
    }

    std::vector<Line> const& here() const { return here_; }
    /// Whether the boxes around two pieces meet: where they do not, the pieces share nothing.
    bool meets(Piece const& other) const {
        for (std::size_t d = 0; d < here_.size(); ++d)
            if (here_[d].last() < other.here_[d].start || other.here_[d].last() < here_[d].start)
                return false;
        return true;
    }

    /// Calls `use(source box, where it goes)` -> Status for the boxes of the source that lie in
    /// `box`, until one fails. Elements behind the source's end are left out.
    template <class Use>
    Status each(Box const& box, Target const& target, Use use) const {
        std::vector<Range> ranges;
        for (std::size_t d = 0; d < here_.size(); ++d) {
            ranges.push_back(
                {here_[d].before(box.start[d]), here_[d].before(box.start[d] + box.count[d])});
            if (ranges.back().size() == 0) return {};
        }
        State s{box, target, ranges, {Sides(there_.size(), 0), Sides(there_.size(), 1)}, {}};
        s.to.to = target.to;
        s.to.stride.assign(there_.size(), 0);
        for (std::size_t t = 0; t < there_.size(); ++t) s.source.start[t] = there_[t].at(0);
        return lead(s, 0, 0, use);
    }
    BoxReader const& reader() const { return *reader_; }

  private:
    struct State {
        Box const& box;
        Target const& target;
        std::vector<Range> const& ranges;
        Box source;
        Target to;
    };
    static constexpr std::size_t none = ~std::size_t{0};

    /// Pairs dimensions of equal length from the last one on; those that are left before them are
    /// counted through on both sides.
    bool pair() {
        partner_.assign(here_.size(), none);
        auto const long_ones = [](std::vector<Line> const& lines) {
            std::vector<std::size_t> dims;
            for (std::size_t d = 0; d < lines.size(); ++d)
                if (lines[d].size() != 1) dims.push_back(d);
            return dims;
        };
        lead_here_ = long_ones(here_);
        lead_there_ = long_ones(there_);
        while (!lead_here_.empty() && !lead_there_.empty() &&
               here_[lead_here_.back()].size() == there_[lead_there_.back()].size()) {
            partner_[lead_here_.back()] = lead_there_.back();
            lead_here_.pop_back();
            lead_there_.pop_back();
        }
        auto const points = [](std::vector<std::size_t> const& dims, std::vector<Line> const& l) {
            Sides sizes;
            for (std::size_t d : dims) sizes.push_back(l[d].size());
            return boxes::product_of(sizes, std::uint64_t{1} << 48);
        };
        auto const a = points(lead_here_, here_), b = points(lead_there_, there_);
        return a && b && *a == *b;
    }

    std::ptrdiff_t offset(State const& s, std::size_t d, std::uint64_t k) const {
        return static_cast<std::ptrdiff_t>(here_[d].at(k) - s.box.start[d]) * s.target.stride[d];
    }

    /// Dimension number `i` of those before the pairs; `number` counts their points so far.
    template <class Use>
    Status lead(State& s, std::size_t i, std::uint64_t number, Use use) const {
        if (i == lead_here_.size()) {
            for (std::size_t j = lead_there_.size(); j-- > 0;) {
                std::size_t const t = lead_there_[j];
                std::uint64_t const n = there_[t].size();
                s.source.start[t] = there_[t].at(number % n);
                if (s.source.start[t] >= extent_[t]) return {};
                number /= n;
            }
            return pairs(s, 0, use);
        }
        std::size_t const d = lead_here_[i];
        std::byte* const to = s.to.to;
        for (std::uint64_t k = s.ranges[d].first; k < s.ranges[d].end; ++k) {
            s.to.to = to + offset(s, d, k);
            SLUICE_CHECK(lead(s, i + 1, number * here_[d].size() + k, use));
        }
        s.to.to = to;
        return {};
    }

    /// Dimension `d` of the virtual dataset and on, cut where the source does not go on.
    template <class Use>
    Status pairs(State& s, std::size_t d, Use use) const {
        if (d == here_.size()) {
            for (std::size_t t = 0; t < there_.size(); ++t)
                if (s.source.start[t] >= extent_[t]) return {};
            return use(s.source, s.to);
        }
        bool const counted = std::ranges::count(lead_here_, d) > 0;
        if (counted) return pairs(s, d + 1, use);
        std::byte* const to = s.to.to;
        std::size_t const t = partner_[d];
        if (t == none) {  // one element
            s.to.to = to + offset(s, d, 0);
            Status done = pairs(s, d + 1, use);
            s.to.to = to;
            return done;
        }
        Range const r{s.ranges[d].first, std::min(s.ranges[d].end, there_[t].before(extent_[t]))};
        for (std::uint64_t k = r.first; k < r.end;) {
            std::uint64_t const run = std::min(r.end - k, run_length(here_[d], there_[t], k));
            s.source.start[t] = there_[t].at(k);
            s.source.count[t] = run;
            s.to.to = to + offset(s, d, k);
            s.to.stride[t] =
                run < 2 ? s.target.stride[d]
                        : s.target.stride[d] *
                              static_cast<std::ptrdiff_t>(here_[d].at(k + 1) - here_[d].at(k));
            SLUICE_CHECK(pairs(s, d + 1, use));
            k += run;
        }
        s.to.to = to;
        s.source.count[t] = 1;
        return {};
    }

    /// Elements from k on that follow each other in the source and stand evenly here.
    static std::uint64_t run_length(Line const& here, Line const& there, std::uint64_t k) {
        bool const joined = there.count == 1 || there.stride == there.block;
        std::uint64_t const source = joined ? there.size() - k : there.block - k % there.block;
        bool const even = here.block == 1 || here.count == 1 || here.stride == here.block;
        return std::min(source, even ? here.size() - k : here.block - k % here.block);
    }

    std::vector<Line> here_, there_;
    Sides extent_;
    std::shared_ptr<BoxReader const> reader_;
    std::vector<std::size_t> partner_;  // of each dimension here, or none
    std::vector<std::size_t> lead_here_, lead_there_;
};

}  // namespace sluice::hdf5
