// CrystalResponder: disks and matches of the frame under the probe at once, plans and whole scans
// when they are made.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/view/domain.h"
#include "app/view/stem4d/crystal/orientations.h"

namespace sluice::app {

class CrystalResponder {
  public:
    CrystalResponder(Catalog& catalog, Device device, KnownCrystals known)
        : catalog_(catalog), device_(device), known_(std::move(known)) {}

    KnownCrystals const& crystals() const { return known_; }
    /// Whether a request is one of disks, strain or orientations.
    static bool answers(ScanRequest const& request);
    /// Answers from memory, or on a slow thread what must be made first.
    void answer(Engine& engine, Job const& job, ScanRequest const& request);

  private:
    void wait(Engine& engine, Job const& job, std::uint64_t after = 0);
    bool ready(std::string const& data, ScanRequest const& request);
    Result<Answer> make(Engine& engine, Job const& job, ScanRequest const& request,
                        std::string const& data, Source const& source);

    Catalog& catalog_;
    Device device_;
    DiskPlans plans_;
    Strains strains_{plans_};
    KnownCrystals known_;
    Orientations orientations_{strains_, known_};
};

}  // namespace sluice::app
