// Believed: packets one after the other, without those whose times no other confirms.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <utility>

#include "format/tpx3/chip_layout.h"
#include "format/tpx3/packets.h"

namespace sluice::tpx3 {

/// A packet of 64 bits, and the chip that sent it.
struct Sent {
    std::uint64_t bits = 0;
    int chip = 0;
};

/// What is not known from a packet alone; a copy goes on from there.
class Believed {
  public:
    /// Calls take(packet) for those that are believed, maybe the one before first, and
    /// tell(what, bits) for those that are left out.
    template <class Take, class Tell>
    void hear(Sent const& p, Take const& take, Tell const& tell) {
        std::uint64_t clock = 0;
        switch (kind_of(p.bits)) {
            case PacketKind::hit:
                clock = hit_of(p.bits).clock;
                break;
            case PacketKind::edge:
                clock = edge_of(p.bits).clock;
                break;
            case PacketKind::timeless:
                return tell("hits without times (the detector counts instead)", p.bits);
            case PacketKind::other:
                return tell("packets without a meaning", p.bits);
            default:
                return;
        }
        auto const heard = times_.hear(times_.whole(clock));
        if (held_ && heard == Times::Heard::confirms) take(*held_);
        if (held_ && heard != Times::Heard::confirms)
            tell("packets with times that no other confirms", held_->bits);
        held_.reset();
        if (heard == Times::Heard::maybe)
            held_ = p;
        else
            take(p);
    }
    Times const& times() const { return times_; }

  private:
    Times times_ = {};
    std::optional<Sent> held_ = {};  // whose time may be damaged
};

/// Gives a believed packet on: to.hit(time, pixel), to.start(time, counter),
/// to.other_edge(counter). Signals count, whichever chip tells them.
template <class To, class Tell>
void give(Sent const& sent, Times const& times, ChipLayout const& layout, TdcEdge line_edge, To& to,
          Tell const& tell) {
    if (kind_of(sent.bits) == PacketKind::hit) {
        Hit const h = hit_of(sent.bits);
        if (layout.has(sent.chip)) to.hit(times.whole(h.clock), layout.pixel(sent.chip, h));
        return;
    }
    EdgePacket const e = edge_of(sent.bits);
    if (!e.edge)
        tell("edges of an unknown signal", sent.bits);
    else if (*e.edge == line_edge)
        to.start(times.whole(e.clock), e.counter);
    else if (static_cast<int>(*e.edge) / 2 == static_cast<int>(line_edge) / 2)
        to.other_edge(e.counter);
}

}  // namespace sluice::tpx3
