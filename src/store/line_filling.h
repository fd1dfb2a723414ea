// LineFilling: a Resident of lines, made 512 frames at a time by way of their tiles.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/run.h"
#include "store/aligned.h"
#include "store/resident.h"

namespace sluice::store {

/// Dataset, plan and options must outlive it. Threads may share it.
class LineFilling {
  public:
    /// `memory` bytes are the most it may take. Workers are numbered from 0.
    static Result<LineFilling> begin(Dataset const& dataset, Plan const& plan,
                                     LoadOptions const& options, std::uint64_t memory);
    index units() const { return std::ssize(resident_.offsets_); }
    /// Makes unit number `unit` of lines, each once, and tells `run` of the tiles. A worker is on
    /// one thread at a time.
    Status make(index unit, int worker, Run& run);
    /// Once all units are made.
    Resident finish() &&;

  private:
    struct Worker {
        std::unique_ptr<UnitMaker> maker = {};
        std::vector<AlignedBytes> tiles = {};  // of the unit that is made
        std::byte* next = nullptr;
        std::byte* end = nullptr;
    };

    LineFilling(Dataset const& dataset, Plan const& plan, LoadOptions const& options,
                Resident resident)
        : dataset_(&dataset), plan_(&plan), options_(&options), resident_(std::move(resident)) {}
    void begin_worker(Worker& w, int worker) const;
    Result<std::byte*> room_for(std::uint64_t bytes, Worker& w);

    Dataset const* dataset_;
    Plan const* plan_;
    LoadOptions const* options_;
    Resident resident_;
    std::uint64_t memory_ = 0;
    std::uint64_t piece_ = 0;  ///< of the arena, that a worker takes at a time
    std::unique_ptr<std::atomic<std::uint64_t>> bytes_ = {};
    std::vector<Worker> workers_ = {};
};

/// The whole scan, on the threads of options.device.
Result<Resident> load_lines(Dataset const& dataset, Plan const& plan, LoadOptions const& options,
                            std::uint64_t memory, Run& run);

}  // namespace sluice::store
