// Virtual datasets whose mappings are any boxes: detector modules, images, interleaved rows.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "format/hdf5/readers.h"
#include "format/hdf5/virtual.h"

namespace sluice::hdf5 {
namespace {

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

    /// Calls `use(source box, where it goes, elements)` -> Status for the boxes of the source that
    /// lie in `box`, until one fails. Elements behind the source's end are left out.
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
            return pairs(s, 0, 1, use);
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
    Status pairs(State& s, std::size_t d, std::uint64_t elements, Use use) const {
        if (d == here_.size()) {
            for (std::size_t t = 0; t < there_.size(); ++t)
                if (s.source.start[t] >= extent_[t]) return {};
            return use(s.source, s.to, elements);
        }
        bool const counted = std::ranges::count(lead_here_, d) > 0;
        if (counted) return pairs(s, d + 1, elements, use);
        std::byte* const to = s.to.to;
        std::size_t const t = partner_[d];
        if (t == none) {  // one element
            s.to.to = to + offset(s, d, 0);
            Status done = pairs(s, d + 1, elements, use);
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
            SLUICE_CHECK(pairs(s, d + 1, elements * run, use));
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

class VirtualReader final : public BoxReader {
  public:
    VirtualReader(std::size_t rank, std::size_t element, std::vector<std::byte> fill,
                  std::vector<Piece> pieces)
        : rank_(rank), element_(element), fill_(std::move(fill)), pieces_(std::move(pieces)) {
        if (fill_.empty()) fill_.resize(element);
    }

    Status read(Box const& box, Target const& target) const override {
        std::vector<std::ptrdiff_t> const again(rank_, 0);
        boxes::copy_box(fill_.data(), again, target.to, target.stride, box.count, element_);
        for (Piece const& p : pieces_)
            SLUICE_CHECK(p.each(box, target, [&](Box const& from, Target const& to, std::uint64_t) {
                return p.reader().read(from, to);
            }));
        return {};
    }

    bool complete(Box const& box) const override {
        std::uint64_t covered = 0;
        Target const nowhere{nullptr, std::vector<std::ptrdiff_t>(rank_, 0)};
        for (Piece const& p : pieces_) {
            auto const there =
                p.each(box, nowhere, [&](Box const& from, Target const&, std::uint64_t n) {
                    covered += n;
                    return p.reader().complete(from) ? Status{} : Error{Code::incomplete, {}};
                });
            if (!there) return false;
        }
        return boxes::product_of(box.count, ~std::uint64_t{0}) == covered;
    }
    std::optional<bool> written() const override {
        return pieces_.empty() ? std::optional(false) : std::nullopt;
    }
    Sides grain() const override { return Sides(rank_, 1); }
    std::uint64_t stored_bytes() const override {
        std::uint64_t n = 0;
        for (Piece const& p : pieces_) n += p.reader().stored_bytes();
        return n;
    }

  private:
    std::size_t rank_, element_;
    std::vector<std::byte> fill_;
    std::vector<Piece> pieces_;
};

Error odd_source(StoredDataset const& d, StoredDataset const& source, std::string const& why) {
    return {Code::unsupported,
            fmt::format("the virtual dataset {} maps {} of {} ({}); copy it into a plain dataset "
                        "with h5repack",
                        d.path, source.path, source.file, why),
            d.file};
}

boxes::FrameAxes axes_of_source(std::size_t rank) {
    return rank >= 3 ? boxes::usual_axes(rank) : boxes::FrameAxes{{0}, 0, rank - 1};
}

}  // namespace

Result<std::shared_ptr<BoxReader const>> virtual_reader(StoredDataset const& d, Opening& opening) {
    SLUICE_TRY(auto sources, open_sources(d, opening));
    ++opening.depth;
    std::vector<Piece> pieces;
    std::shared_ptr<StoredDataset const> last;
    std::shared_ptr<BoxReader const> reader;
    for (Source const& s : sources) {
        if (!s.dataset) continue;
        if (!(s.dataset->element == d.element))
            return odd_source(
                d, *s.dataset,
                fmt::format("which holds {} and not {}", s.dataset->stored_type, d.stored_type));
        if (s.dataset != last) {
            SLUICE_TRY(reader, make_reader(*s.dataset, axes_of_source(s.dataset->rank()), opening));
            add_note(opening.files, s.dataset->file);
        }
        last = s.dataset;
        auto here = lines_of(s.mapping.here, d.extent);
        auto there = lines_of(s.mapping.there, s.dataset->extent);
        auto piece = here && there ? Piece::make(std::move(*here), std::move(*there),
                                                 s.dataset->extent, reader)
                                   : std::nullopt;
        if (!piece) return odd_source(d, *s.dataset, "in selections of different shapes");
        pieces.push_back(std::move(*piece));
    }
    --opening.depth;
    std::shared_ptr<BoxReader const> all = std::make_shared<VirtualReader const>(
        d.rank(), d.element_bytes(), d.fill, std::move(pieces));
    return all;
}

}  // namespace sluice::hdf5
