// FindDiskFrames: the disks of each frame, as an analysis of units.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <mutex>

#include "domain/crystal/detect/finder.h"
#include "fold/items.h"
#include "fold/packer.h"
#include "store/unit.h"

namespace sluice::crystal {

/// What is known of consecutive frames. Owns its disks, which travel by their bits.
class DiskFrames {
  public:
    explicit DiskFrames(fold::Range frames)
        : frames_(frames), patterns_(static_cast<std::size_t>(frames.count())) {}

    FoundPattern& at(index frame) {
        return patterns_[static_cast<std::size_t>(frame - frames_.first)];
    }
    /// Copies what a part says of its frames, which are some of these.
    void place(DiskFrames const& part);
    std::vector<FoundPattern> take() && { return std::move(patterns_); }

    void pack(fold::Packer& out) const;
    /// Refuses reasons that there are not, and disks of patterns that have none.
    static Result<DiskFrames> unpack(fold::Unpacker& in, fold::Range frames);

  private:
    fold::Range frames_;
    std::vector<FoundPattern> patterns_;
};

/// Rooms that workers take and give back.
class RoomPool {
  public:
    std::unique_ptr<Finder::Room> take(Finder const& finder);
    void give(std::unique_ptr<Finder::Room> room);

  private:
    std::mutex mutex_;
    std::vector<std::unique_ptr<Finder::Room>> rooms_;
};

struct FindDiskFrames {
    static constexpr std::string_view name = "disks of frames";
    using Item = store::Unit;
    using Partial = DiskFrames;
    using Result = std::vector<FoundPattern>;  ///< [frame]

    Finder const& finder;
    planes::Grid grid;
    index frames;                        ///< of the scan
    std::span<std::uint8_t const> lost;  ///< [frame], 1: it was not measured; empty: all were
    RoomPool& rooms;

    Partial begin(fold::Range units) const;
    void add(Partial& p, std::span<store::Unit const> units) const;
    void merge(Partial& a, Partial const& b) const { a.place(b); }
    Result finish(Partial p) const { return std::move(p).take(); }

    bool merges_exactly() const { return true; }
    std::vector<index> sizes() const { return {frames, grid.rows, grid.cols}; }
    void pack(Partial const& p, fold::Packer& out) const { p.pack(out); }
    sluice::Result<Partial> unpack(fold::Unpacker& in, fold::Range units) const;

  private:
    void put(Finder::Room& room, int which, store::Unit const& unit, index slot,
             std::vector<double>& counts) const;
    void find(Partial& p, Finder::Room& room, store::Unit const& unit,
              std::vector<double>& counts) const;
};

}  // namespace sluice::crystal
