// Virtual datasets whose mappings are any boxes: detector modules, images, interleaved rows.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "format/hdf5/readers.h"
#include "format/hdf5/virtual_piece.h"

namespace sluice::hdf5 {
namespace {

/// Finds the pieces that a box may take something of without a look at every one: a scan of one
/// file per image has as many as frames.
class Nearby {
  public:
    Nearby(std::vector<Piece> const& pieces, std::size_t rank) {
        std::vector<double> taken(rank, 0);
        for (Piece const& p : pieces)
            for (std::size_t d = 0; d < rank; ++d)
                taken[d] += static_cast<double>(p.here()[d].last() - p.here()[d].start + 1);
        auto const extent = [&](std::size_t d) {
            std::uint64_t most = 0;
            for (Piece const& p : pieces) most = std::max(most, p.here()[d].last() + 1);
            return static_cast<double>(most);
        };
        // The dimension along which pieces lie beside each other the most.
        for (std::size_t d = 1; d < rank && !pieces.empty(); ++d)
            if (taken[d] / extent(d) < taken[along_] / extent(along_)) along_ = d;
        for (std::size_t i = 0; i < pieces.size(); ++i)
            reaches_.push_back(
                {pieces[i].here()[along_].start, pieces[i].here()[along_].last(), i});
        std::ranges::sort(reaches_, {}, &Reach::first);
        std::uint64_t furthest = 0;
        for (Reach& r : reaches_) r.furthest = furthest = std::max(furthest, r.last);
    }

    /// Their numbers, ascending: later mappings lie over earlier ones.
    std::vector<std::size_t> at(Box const& box) const {
        std::uint64_t const first = box.start[along_], last = first + box.count[along_] - 1;
        auto r = std::ranges::upper_bound(reaches_, last, {}, &Reach::first);
        std::vector<std::size_t> found;
        while (r != reaches_.begin() && (--r)->furthest >= first)
            if (r->last >= first) found.push_back(r->piece);
        std::ranges::sort(found);
        return found;
    }

  private:
    struct Reach {
        std::uint64_t first = 0, last = 0;
        std::size_t piece = 0;
        std::uint64_t furthest = 0;  ///< last one of this piece and those before it
    };
    std::size_t along_ = 0;
    std::vector<Reach> reaches_;
};

class VirtualReader final : public BoxReader {
  public:
    VirtualReader(std::size_t rank, std::size_t element, std::vector<std::byte> fill,
                  std::vector<Piece> pieces)
        : rank_(rank),
          element_(element),
          fill_(std::move(fill)),
          pieces_(std::move(pieces)),
          nearby_(pieces_, rank) {
        if (fill_.empty()) fill_.resize(element);
        // Readers ask for it frame by frame, and there may be as many pieces as frames.
        for (Piece const& p : pieces_) memory_ = std::max(memory_, p.reader().memory_bytes());
    }

    Status read(Box const& box, Target const& target, std::span<std::byte> memory) const override {
        std::vector<std::ptrdiff_t> const again(rank_, 0);
        boxes::copy_box(fill_.data(), again, target.to, target.stride, box.count, element_);
        for (std::size_t const i : nearby_.at(box))
            SLUICE_CHECK(pieces_[i].each(box, target, [&](Box const& from, Target const& to) {
                return pieces_[i].reader().read(from, to, memory);
            }));
        return {};
    }

    std::uint64_t memory_bytes() const override { return memory_; }

    bool complete(Box const& box) const override {
        auto const all = boxes::product_of(box.count, most_marks);
        if (!all) return false;
        auto const here = nearby_.at(box);
        Coverage coverage(box, *all, apart(here));
        for (std::size_t const i : here) {
            auto const there =
                pieces_[i].each(box, coverage.target, [&](Box const& from, Target const& to) {
                    if (!pieces_[i].reader().complete(from))
                        return Status{Error{Code::incomplete, {}}};
                    coverage.add(from, to);
                    return Status{};
                });
            if (!there) return false;
        }
        return coverage.whole();
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
    static constexpr std::uint64_t most_marks = std::uint64_t{1} << 32;

    /// Which elements of a box are mapped: pieces that share nothing are counted, others marked.
    struct Coverage {
        std::uint64_t all, counted = 0;
        std::vector<std::byte> marks;
        Target target;

        Coverage(Box const& box, std::uint64_t elements, bool apart)
            : all(elements), marks(apart ? 0 : static_cast<std::size_t>(elements)) {
            target.to = marks.data();
            target.stride = apart ? std::vector<std::ptrdiff_t>(box.count.size(), 0)
                                  : boxes::strides_of(box.count, 1);
        }
        void add(Box const& from, Target const& to) {
            if (marks.empty()) {
                counted += std::accumulate(from.count.begin(), from.count.end(), std::uint64_t{1},
                                           std::multiplies<>());
                return;
            }
            constexpr std::byte marked{1};
            std::vector<std::ptrdiff_t> const again(from.count.size(), 0);
            boxes::copy_box(&marked, again, to.to, to.stride, from.count, 1);
        }
        bool whole() const {
            return marks.empty() ? counted == all : std::ranges::count(marks, std::byte{}) == 0;
        }
    };

    bool apart(std::vector<std::size_t> const& here) const {
        // With many it is quicker to mark than to compare each with each.
        if (here.size() > 64) return false;
        for (std::size_t a = 0; a < here.size(); ++a)
            for (std::size_t b = a + 1; b < here.size(); ++b)
                if (pieces_[here[a]].meets(pieces_[here[b]])) return false;
        return true;
    }

    std::size_t rank_, element_;
    std::vector<std::byte> fill_;
    std::vector<Piece> pieces_;
    Nearby nearby_;
    std::uint64_t memory_ = 0;  ///< of the piece that needs the most
};

/// The dimensions of a source are those of the virtual dataset, unless it has another number of
/// them. The order decides which chunks are read again, and so are kept.
boxes::FrameAxes axes_of_source(std::size_t rank, std::size_t rank_here,
                                boxes::FrameAxes const& axes) {
    if (rank == rank_here) return axes;
    return rank >= 3 ? boxes::usual_axes(rank) : boxes::FrameAxes{{0}, 0, rank - 1};
}

}  // namespace

Result<std::shared_ptr<BoxReader const>> virtual_reader(StoredDataset const& d,
                                                        boxes::FrameAxes const& axes,
                                                        Opening& opening) {
    SLUICE_TRY(auto sources, open_sources(d, opening));
    ++opening.depth;
    std::vector<Piece> pieces;
    std::shared_ptr<StoredDataset const> last;
    std::shared_ptr<BoxReader const> reader;
    for (Source const& s : sources) {
        if (!s.dataset) continue;
        if (!(s.dataset->element == d.element)) return other_type(d, *s.dataset);
        if (s.dataset != last) {
            auto const order = axes_of_source(s.dataset->rank(), d.rank(), axes);
            SLUICE_TRY(reader, make_reader(*s.dataset, order, opening));
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
