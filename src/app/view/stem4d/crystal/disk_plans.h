// DiskPlans: how the disks of scans are found, decided once for each set of options.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "app/view/stem4d/crystal/crystal_request.h"
#include "domain/crystal/frame_disks.h"

namespace sluice::app {

/// What was decided, and what finds the disks of single frames by it.
struct DiskPlan {
    stem4d::FittedTemplate probe;
    stem4d::DiskSetup setup;
    crystal::FrameFinder finder;
};

/// The newest few that were made, by what they were made of.
template <class Value>
class Newest {
  public:
    explicit Newest(std::size_t most) : most_(most) {}

    std::shared_ptr<Value const> get(std::string const& key) {
        std::lock_guard lock(mutex_);
        for (auto& [own, value] : entries_)
            if (own == key) return value;
        return nullptr;
    }
    void put(std::string const& key, std::shared_ptr<Value const> value) {
        std::lock_guard lock(mutex_);
        std::erase_if(entries_, [&](auto const& e) { return e.first == key; });
        if (entries_.size() == most_) entries_.erase(entries_.begin());
        entries_.emplace_back(key, std::move(value));
    }

  private:
    std::mutex mutex_;
    std::size_t most_;
    std::vector<std::pair<std::string, std::shared_ptr<Value const>>> entries_;
};

class DiskPlans {
  public:
    /// One that was made already; null: none.
    std::shared_ptr<DiskPlan const> known(std::string const& data, DiskWish const& wish);
    /// Fits the template where it is not given, and decides the rest, as `sluice stem4d disks`
    /// does: from a sample of the scan, which takes tenths of a second. `data` names the scan and
    /// its reading.
    Result<std::shared_ptr<DiskPlan const>> make(std::string const& data, Scan const& scan,
                                                 DiskWish const& wish, stem4d::Options const& run);

    /// A plan with other options, where they are not left open.
    Result<std::shared_ptr<DiskPlan const>> changed(std::string const& data, Scan const& scan,
                                                    DiskPlan const& plan, DisksRequest const& by,
                                                    Device const& device);

    static std::string key_of(std::string const& data, DiskWish const& wish);

  private:
    Newest<DiskPlan> plans_{4}, changed_{1};
    Newest<stem4d::FittedTemplate> templates_{4};  // fitted to scans
};

/// The plan as the page shows it.
Json json_of(DiskPlan const& plan);

}  // namespace sluice::app
