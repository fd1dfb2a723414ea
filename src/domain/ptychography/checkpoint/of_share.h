// Planes of patterns, where each rank has room for its own and for one more.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/ptychography/planar.h"
#include "domain/ptychography/share.h"

namespace sluice::ptycho {

/// The bytes of a plane, as ranks send them to each other.
template <class Real>
std::span<std::byte> bytes_of(Planar<Real>& plane) {
    return std::as_writable_bytes(std::span(plane.re(0), static_cast<std::size_t>(plane.size())));
}

/// `each` planes of a pattern, n pixels a side. A rank has those of its own patterns.
template <class Real>
class OfShare {
  public:
    OfShare(Share const& share, std::vector<Planar<Real>>& own, index each, index n)
        : share_(share), own_(own), each_(each), one_more_(n, n) {}

    index count() const { return share_.patterns() * each_; }
    int owner(index k) const { return share_.owner(k / each_); }
    /// Where plane k lies if this rank has it, or else the room for a plane until the next one
    /// comes.
    Planar<Real>& room(index k) {
        if (!share_.has(k / each_)) return one_more_;
        return own_[static_cast<std::size_t>(k - share_.first() * each_)];
    }
    /// Its owner's plane k comes to that room, on all ranks.
    void bring(index k) { share_.send(bytes_of(room(k)), owner(k)); }

  private:
    Share const& share_;
    std::vector<Planar<Real>>& own_;
    index each_;
    Planar<Real> one_more_;
};

}  // namespace sluice::ptycho
