// Orientations: maps of the crystals of whole scans, and what competes for single patterns.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/view/stem4d/crystal/known_crystals.h"
#include "app/view/stem4d/crystal/orientation_request.h"
#include "app/view/stem4d/crystal/scale.h"
#include "app/view/stem4d/crystal/strains.h"

namespace sluice::app {

/// The map of a scan, and what it was made of.
struct ScanOrientations {
    std::shared_ptr<ScanDisks const> disks;
    std::shared_ptr<stem4d::OrientationLibrary const> library;
    FoundScale scale;
    stem4d::OrientationMap map;
};

class Orientations {
  public:
    Orientations(Strains& strains, KnownCrystals const& known) : strains_(strains), known_(known) {}

    /// What takes long was made already, so that the answer comes at once.
    bool known(std::string const& data, OrientationRequest const& request);
    bool known(std::string const& data, MatchRequest const& request);

    using Report = Strains::Report;
    Result<Answer> answer(std::string const& data, Source const& source,
                          OrientationRequest const& request, Report const& report);
    Result<Answer> answer(std::string const& data, Source const& source,
                          MatchRequest const& request, Report const& report);

  private:
    Result<std::shared_ptr<ScanOrientations const>> map_of(std::string const& data,
                                                           Source const& source,
                                                           OrientationRequest const& request,
                                                           Report const& report);
    Result<std::shared_ptr<stem4d::OrientationLibrary const>> library_of(
        Source const& source, OrientationRequest const& request, Report const& report);
    Result<std::shared_ptr<stem4d::OrientationMatcher const>> matcher_of(
        std::string const& data, Source const& source, OrientationRequest const& request,
        Report const& report);

    Strains& strains_;
    KnownCrystals const& known_;
    Newest<stem4d::OrientationLibrary> libraries_{2};
    // One of each: they hold the disks of scans.
    Newest<ScanOrientations> maps_{1};
    Newest<stem4d::OrientationMatcher> matchers_{1};
};

}  // namespace sluice::app
