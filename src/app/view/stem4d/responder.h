// Responder: answers about scans, at once from memory, and from the files when the pointer rests.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/view/domain.h"
#include "app/view/stem4d/answer.h"
#include "app/view/stem4d/crystal/crystal_responder.h"

namespace sluice::app {

/// What every message about a scan says of it: `dataset`, `step`, `dropped`.
Json scan_fields(Engine const& engine, Job const& job, index step);
Error no_dataset(std::string const& id);

class Responder {
  public:
    Responder(Catalog& catalog, Device device, KnownCrystals known = {})
        : catalog_(catalog), device_(device), crystals_(catalog, device, std::move(known)) {}

    KnownCrystals const& crystals() const { return crystals_.crystals(); }

    /// Answers from what there is now; the engine calls again when there is more.
    void answer(Engine& engine, Job const& job, ScanRequest const& request);

  private:
    void at_once(Engine& engine, Job const& job, ScanRequest const& request, Item const& item);
    void from_files(Engine& engine, Job const& job, ScanRequest const& request, Item const& item);
    void wait(Engine& engine, Job const& job);
    /// `last`: nothing follows, and the slot is free again.
    void compute(Engine& engine, Job const& job, ScanRequest const& request, Item const& item,
                 Source const& source, bool last);

    Catalog& catalog_;
    Device device_;
    MomentCache moments_;
    CrystalResponder crystals_;
};

}  // namespace sluice::app
