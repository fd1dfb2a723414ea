// The disks of each frame of a scan.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/detect/disk_frames.h"

#include <algorithm>
#include <cstring>

#include "base/with_type.h"
#include "domain/stem4d/frame_values.h"
#include "kernel/planes/read_frame.h"

namespace sluice::crystal {
namespace {

constexpr std::size_t numbers_of_disk = sizeof(FoundDisk) / sizeof(float);
static_assert(sizeof(FoundDisk) == 9 * sizeof(float));
constexpr std::size_t numbers_of_joint = 6 + 36 + 1;
static_assert(sizeof(JointLattice) == numbers_of_joint * sizeof(double));

}  // namespace

void DiskFrames::place(DiskFrames const& part) {
    expects(part.frames_.first >= frames_.first && part.frames_.last <= frames_.last);
    std::ranges::copy(part.patterns_, patterns_.begin() + (part.frames_.first - frames_.first));
}

void DiskFrames::pack(fold::Packer& out) const {
    for (FoundPattern const& p : patterns_) {
        out.number(static_cast<std::uint8_t>(p.reason));
        out.number(static_cast<std::uint32_t>(p.disks.size()));
        out.numbers(std::span(reinterpret_cast<float const*>(p.disks.data()),
                              p.disks.size() * numbers_of_disk));
        out.number(static_cast<std::uint8_t>(p.lattice.has_value()));
        if (p.lattice)
            out.numbers(std::span(reinterpret_cast<double const*>(&*p.lattice), numbers_of_joint));
    }
}

Result<DiskFrames> DiskFrames::unpack(fold::Unpacker& in, fold::Range frames) {
    DiskFrames part(frames);
    for (FoundPattern& p : part.patterns_) {
        SLUICE_TRY(auto const reason, in.number<std::uint8_t>());
        SLUICE_TRY(auto const count, in.number<std::uint32_t>());
        if (reason > static_cast<std::uint8_t>(stem4d::DiskReason::off_detector))
            return Error{Code::corrupt, "a partial result has a reason that there is not"};
        p.reason = static_cast<stem4d::DiskReason>(reason);
        if ((count > 0) != (p.reason == stem4d::DiskReason::found))
            return Error{Code::corrupt, "a partial result has disks that its reason denies"};
        SLUICE_TRY(auto const numbers, in.numbers<float>(std::uint64_t{count} * numbers_of_disk));
        p.disks.resize(count);
        if (count > 0) std::memcpy(p.disks.data(), numbers.data(), numbers.size() * sizeof(float));
        SLUICE_TRY(auto const joint, in.number<std::uint8_t>());
        if (joint > 1)
            return Error{Code::corrupt, "a partial result has a lattice or not, and says neither"};
        if (joint == 0) continue;
        SLUICE_TRY(auto const lattice, in.numbers<double>(numbers_of_joint));
        std::memcpy(static_cast<void*>(&p.lattice.emplace()), lattice.data(), sizeof(JointLattice));
    }
    return part;
}

std::unique_ptr<Finder::Room> RoomPool::take(Finder const& finder) {
    std::unique_ptr<Finder::Room> room;
    {
        std::lock_guard const lock(mutex_);
        if (!rooms_.empty()) room = std::move(rooms_.back()), rooms_.pop_back();
    }
    return room ? std::move(room) : std::make_unique<Finder::Room>(finder);
}

void RoomPool::give(std::unique_ptr<Finder::Room> room) {
    std::lock_guard const lock(mutex_);
    rooms_.push_back(std::move(room));
}

DiskFrames FindDiskFrames::begin(fold::Range units) const {
    return DiskFrames(stem4d::frames_of(units, frames));
}

sluice::Result<DiskFrames> FindDiskFrames::unpack(fold::Unpacker& in, fold::Range units) const {
    return DiskFrames::unpack(in, stem4d::frames_of(units, frames));
}

void FindDiskFrames::add(Partial& p, std::span<store::Unit const> units) const {
    std::unique_ptr<Finder::Room> room = rooms.take(finder);
    std::vector<double> counts;
    for (store::Unit const& unit : units) find(p, *room, unit, counts);
    rooms.give(std::move(room));
}

void FindDiskFrames::put(Finder::Room& room, int which, store::Unit const& unit, index slot,
                         std::vector<double>& counts) const {
    if (unit.is_tile) {
        counts.resize(static_cast<std::size_t>(grid.rows * grid.cols));
        planes::read_frame(unit.tile, grid, slot, counts.data());
        return finder.put(room, which, counts.data(), unit.first_frame + slot);
    }
    with_detector_type(unit.values.dtype, [&]<class T>(T) {
        finder.put(room, which,
                   static_cast<T const*>(unit.values.data) + slot * unit.values.pixels(),
                   unit.first_frame + slot);
    });
}

// Pairs are of one unit, so that a pattern's bits do not depend on who found the others.
void FindDiskFrames::find(Partial& p, Finder::Room& room, store::Unit const& unit,
                          std::vector<double>& counts) const {
    std::vector<index> measured;
    for (index f = 0; f < unit.frames; ++f)
        if (lost.empty() || !lost[static_cast<std::size_t>(unit.first_frame + f)])
            measured.push_back(f);
    for (std::size_t i = 0; i < measured.size(); i += 2) {
        std::size_t const n = std::min<std::size_t>(2, measured.size() - i);
        for (std::size_t k = 0; k < n; ++k)
            put(room, static_cast<int>(k), unit, measured[i + k], counts);
        FoundPattern found[2];
        finder.find(room, std::span(found).first(n));
        for (std::size_t k = 0; k < n; ++k)
            p.at(unit.first_frame + measured[i + k]) = std::move(found[k]);
    }
}

}  // namespace sluice::crystal
