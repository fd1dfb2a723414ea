// UnitReader: the units of a scan in memory, turned back where lines are kept.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "store/aligned.h"
#include "store/resident.h"

namespace sluice::store {

/// The one way from lines back to tiles, for all that looks at frames. Belongs to one thread; holds
/// the tiles that it turned back last.
class UnitReader {
  public:
    /// `need` marks the blocks of the detector that will be looked at; empty: all. Tiles that are
    /// turned back may show zeros in the others. It must live as long.
    UnitReader(Resident const& frames, Isa isa, std::span<std::uint8_t const> need = {})
        : frames_(&frames), isa_(isa), need_(need) {}

    /// Tiles that are turned back at the cost of one.
    static constexpr index together = 4;
    /// Most units that it holds at a time.
    static constexpr index most = 16;
    bool turns() const { return frames_->is_lines(); }
    /// Makes units from `first` on ready, at most up to `last`, and returns where those end that
    /// are. Those of the call before are not ready any more.
    index hold(index first, index last);
    /// A unit that is ready.
    Unit unit(index t) const;

  private:
    Resident const* frames_;
    Isa isa_;
    std::span<std::uint8_t const> need_;
    std::vector<AlignedBytes> tiles_ = {};
    index first_ = 0, count_ = 0;  // the units that are held
    index bound_ = 0;              // bytes of a tile's room
};

/// All of a scan of lines as tiles.
struct TurnedBack {
    std::vector<std::byte> bytes = {};
    std::vector<std::uint64_t> offsets = {};  ///< of each tile
};
TurnedBack turned_back(Resident const& frames, Isa isa);

}  // namespace sluice::store
