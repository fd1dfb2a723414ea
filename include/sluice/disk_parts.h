// Disks of a scan in parts, for several processes: the same bits as in one.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "sluice/disks.h"

namespace sluice::stem4d {

/// find_disks() and refine_lattice() in parts, as ProductParts has products. Everyone who takes
/// part loads the same scan in the same way and begins with the same setup. Each finds the disks of
/// some groups with part(); one adds what they found, in any order, and finishes.
class DiskParts {
  public:
    /// The scan must outlive it. Errors: those of find_disks().
    static Result<DiskParts> begin(Scan const& scan, DiskSetup const& setup,
                                   Options const& run = {});
    DiskParts(DiskParts&&) noexcept;
    DiskParts& operator=(DiskParts&&) noexcept;
    ~DiskParts();

    /// How many groups there are; it depends on the scan alone.
    index groups() const;
    /// Finds the disks of groups [first, first + count), and packs them. Calls follow each other.
    Result<std::vector<std::byte>> part(index first, index count);
    /// Takes what part() packed. Errors: damaged, of another scan's shape, groups that have come.
    Status add(Bytes part);
    /// What find_disks() returns. Errors: groups are missing.
    Result<BraggVectors> finish() &&;
    /// What refine_lattice() returns. Errors: groups are missing, a setup without a lattice.
    Result<KnownDisks> finish(LatticeOptions const& options) &&;

  private:
    struct State;
    explicit DiskParts(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace sluice::stem4d
