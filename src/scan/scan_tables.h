// ScanTables: sums beside the frames of a scan, from which some answers come at once.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>

#include "scan/last_counts.h"
#include "scan/pattern_sums.h"
#include "scan/ring_sums.h"
#include "scan/tables_on_disk.h"
#include "sluice/trace.h"

namespace sluice {

/// Belongs to a scan, and ends with it. Any thread may ask. Of bit planes in memory moments of
/// frames are always there; the others are kept while they take at most a share of the frames'
/// bytes. A scan that is streamed has those of its file of tables.
class ScanTables {
  public:
    ScanTables(store::Resident const& frames, store::Plan const& plan)
        : frames_(&frames), plan_(plan) {}
    ScanTables(std::unique_ptr<TablesOnDisk> file, store::Plan const& plan)
        : plan_(plan), file_(std::move(file)) {}

    /// Empty: the file's are damaged.
    std::span<planes::Moment const> moments() const;
    std::uint64_t bytes() const;
    /// Null of a scan in memory.
    TablesOnDisk* file() const { return file_.get(); }
    /// How many products had their answers from here.
    index answers() const { return answers_; }
    void answered() { ++answers_; }

    /// What masks counted last on lines, of a scan in memory, and the most bytes that each may
    /// take.
    LastCounts<std::uint32_t>& last_sums() { return last_sums_; }
    LastCounts<planes::Moment>& last_moments() { return last_moments_; }
    std::uint64_t most_of_last() const;

    /// How tables are made that are not there.
    struct Making {
        Device device = Device::cpu();
        Trace* trace = nullptr;
        bool allowed = true;
    };
    /// The sums over squares of scan points; null: there are none, or they take too much.
    std::shared_ptr<PatternSums const> patterns(Making const& how);

    /// Rings about a centre, in any coordinates that the caller likes, as long as they are the same
    /// ones.
    using Center = std::array<double, 2>;
    /// The sums over rings about it. They are made when it is asked for the second time in
    /// succession, since a drag asks for every centre once. Null: there are none, or they take too
    /// much.
    std::shared_ptr<RingSums const> rings(Center center, Making const& how,
                                          std::function<std::vector<std::uint16_t>()> const& rings);

    /// With the sums that an answer needs; null: some are damaged. Of a scan in memory they are
    /// there already.
    std::shared_ptr<PatternSums const> with(std::shared_ptr<PatternSums const> const& patterns,
                                            std::span<PatternSums::Square const> squares) const;
    std::shared_ptr<RingSums const> with(std::shared_ptr<RingSums const> const& rings,
                                         std::span<std::array<index, 2> const> borders) const;

  private:
    std::uint64_t most() const { return frames_->bytes() / 100 * percent; }

    static constexpr std::uint64_t percent = 8;
    store::Resident const* frames_ = nullptr;
    store::Plan const& plan_;
    std::unique_ptr<TablesOnDisk> file_ = {};
    std::atomic<index> answers_ = 0;
    mutable std::mutex mutex_ = {};
    std::shared_ptr<PatternSums const> patterns_ = {};
    bool patterns_too_large_ = false;
    LastCounts<std::uint32_t> last_sums_ = {};
    LastCounts<planes::Moment> last_moments_ = {};
    std::shared_ptr<RingSums const> rings_ = {};
    std::optional<Center> asked_ = {}, of_rings_ = {};
    bool rings_too_large_ = false;
};

}  // namespace sluice
