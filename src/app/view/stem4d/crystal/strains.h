// Strains: the disks of whole scans, their lattices and strain, each made once.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/view/stem4d/answer.h"
#include "app/view/stem4d/crystal/disk_plans.h"

namespace sluice::app {

/// The disks of a scan.
struct ScanDisks {
    std::shared_ptr<DiskPlan const> plan;
    stem4d::BraggVectors vectors;
};
/// Their lattices.
struct ScanLattices {
    std::shared_ptr<ScanDisks const> disks;
    stem4d::LatticeBasis basis;
    stem4d::LatticeFit fit;
    std::vector<std::string> notes;  ///< of the basis
};

class Strains {
  public:
    explicit Strains(DiskPlans& plans) : plans_(plans) {}

    /// What takes long was made already, so that the answer comes at once.
    bool known(std::string const& data, StrainRequest const& request);
    /// `progress` is called with the task's words, and what is done of all there is.
    using Report = std::function<bool(char const* task, std::uint64_t, std::uint64_t)>;
    Result<Answer> answer(std::string const& data, Source const& source,
                          StrainRequest const& request, Report const& report);
    /// Of the whole scan.
    Result<std::shared_ptr<ScanDisks const>> disks(std::string const& data, Source const& source,
                                                   DiskWish const& wish, Report const& report);

  private:
    Result<std::shared_ptr<ScanLattices const>> lattices(std::string const& data,
                                                         Source const& source,
                                                         StrainRequest const& request,
                                                         Report const& report);

    DiskPlans& plans_;
    // One of each: those of a large scan take 100 MB.
    Newest<ScanDisks> disks_{1};
    Newest<ScanLattices> lattices_{1};
};

/// Options of a task, whose progress `report` is told; it must outlive them.
stem4d::Options options_for(Source const& source, char const* task, Strains::Report const& report);

}  // namespace sluice::app
