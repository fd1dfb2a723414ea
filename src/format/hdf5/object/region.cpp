// Serialized selections: all, none, hyperslabs of versions 1 to 3, points.
// SPDX-License-Identifier: Apache-2.0
#include "format/hdf5/object/region.h"

#include <fmt/format.h>

namespace sluice::hdf5::object {
namespace {

constexpr std::uint64_t most_dimensions = 32;

class RegionParser {
  public:
    RegionParser(Source const& source, Cursor& c, std::uint64_t address)
        : source_(source), c_(c), address_(address) {}

    Result<Region> parse() {
        auto const type = c_.number(4), version = c_.number(4);
        Region r;
        switch (type) {
            case 0:
            case 3:
                c_.take(8);
                r.kind = type == 0 ? Region::Kind::none : Region::Kind::all;
                break;
            case 1:
                r.kind = Region::Kind::points;
                SLUICE_CHECK(points(version));
                break;
            case 2:
                SLUICE_CHECK(hyperslab(version, r));
                break;
            default:
                return damaged();
        }
        return c_.ok() ? Result<Region>(std::move(r)) : Result<Region>(damaged());
    }

  private:
    Error damaged() const {
        return source_.corrupt("a selection of a virtual dataset is damaged", address_);
    }

    /// Reads how many dimensions there are.
    Status rank() {
        rank_ = c_.number(4);
        return c_.ok() && rank_ >= 1 && rank_ <= most_dimensions ? Status{} : damaged();
    }

    Status width(unsigned bytes) {
        width_ = bytes;
        return bytes == 2 || bytes == 4 || bytes == 8 ? Status{} : damaged();
    }

    /// All-ones of the width mean "without limit".
    std::uint64_t number() {
        std::uint64_t const v = c_.number(width_);
        bool const all = width_ < 8 && v + 1 == std::uint64_t{1} << 8 * width_;
        return all ? Region::unlimited : v;
    }

    Status hyperslab(std::uint64_t version, Region& r) {
        if (version < 1 || version > 3) return damaged();
        unsigned const flags = version == 1 ? 0 : c_.byte();
        if (version == 3) {
            SLUICE_CHECK(width(c_.byte()));
        } else {
            width_ = version == 1 ? 4 : 8;
            c_.take(version == 1 ? 8 : 4);
        }
        SLUICE_CHECK(rank());
        constexpr unsigned regular = 1;
        return version == 2 || (flags & regular) != 0 ? sides(r) : blocks(r);
    }

    Status sides(Region& r) {
        r.kind = Region::Kind::regular;
        for (std::uint64_t d = 0; d < rank_; ++d) {
            Region::Side s;
            s.start = c_.number(width_);
            s.stride = c_.number(width_);
            s.count = number();
            s.block = number();
            r.sides.push_back(s);
        }
        return c_.ok() ? Status{} : damaged();
    }

    Status blocks(Region& r) {
        r.kind = Region::Kind::blocks;
        std::uint64_t const n = c_.number(width_);
        if (n > c_.rest().size() / (2 * width_ * rank_)) return damaged();
        for (std::uint64_t i = 0; i < n; ++i) {
            Corners b;
            for (std::uint64_t d = 0; d < rank_; ++d) b.low.push_back(c_.number(width_));
            for (std::uint64_t d = 0; d < rank_; ++d) b.high.push_back(c_.number(width_));
            for (std::uint64_t d = 0; d < rank_; ++d)
                if (b.low[d] > b.high[d]) return damaged();
            r.blocks.push_back(std::move(b));
        }
        return {};
    }

    /// Nobody maps frames point by point; they are stepped over.
    Status points(std::uint64_t version) {
        if (version != 1 && version != 2) return damaged();
        if (version == 2) {
            SLUICE_CHECK(width(c_.byte()));
        } else {
            width_ = 4;
            c_.take(8);
        }
        SLUICE_CHECK(rank());
        std::uint64_t const n = c_.number(width_);
        if (n > c_.rest().size() / (width_ * rank_)) return damaged();
        c_.take(n * width_ * rank_);
        return {};
    }

    Source const& source_;
    Cursor& c_;
    std::uint64_t address_, rank_ = 0;
    unsigned width_ = 4;
};

}  // namespace

Result<Region> take_region(Source const& source, Cursor& c, std::uint64_t address) {
    return RegionParser(source, c, address).parse();
}

}  // namespace sluice::hdf5::object
