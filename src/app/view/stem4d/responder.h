// Responder: answers about scans, at once from memory, and from the files when the pointer rests.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/view/domain.h"
#include "app/view/latest_queue.h"
#include "app/view/stem4d/answer.h"
#include "app/view/stem4d/crystal/crystal_responder.h"

namespace sluice::app {

/// What every message about a scan says of it: `dataset`, `step`, `dropped`.
Json scan_fields(Engine const& engine, Job const& job, index step);
Error no_dataset(std::string const& id);
/// Of a scan that comes: what an answer says of how much of it it is of. `final`: what comes does
/// not change it.
Json live_mark(Item const& item, bool final);
/// Whether a point's frame has come.
bool has_come(Scan const& scan, index row, index col);

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
    /// From what has come.
    void from_stream(Engine& engine, Job const& job, ScanRequest const& request, Item const& item);
    void find_disk(Engine& engine, Job const& job, Item const& item);
    void wait(Engine& engine, Job const& job);
    /// `last`: nothing follows, and the slot is free again.
    void compute(Engine& engine, Job const& job, ScanRequest const& request, Item const& item,
                 Source const& source, bool last);

    Catalog& catalog_;
    Device device_;
    MomentCache moments_;
    Clock::time_point next_ = {};  ///< answer to who waits for more; of the one quick thread
    CrystalResponder crystals_;
};

}  // namespace sluice::app
