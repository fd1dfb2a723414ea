// Answers: the library's results for a request, as messages.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/view/stem4d/catalog.h"
#include "app/view/stem4d/request.h"
#include "sluice/progress.h"

namespace sluice::app {

/// What one answer is computed from.
struct Source {
    std::shared_ptr<Scan const> scan;
    index step = 1;                   ///< `scan` has every step-th point of the whole
    std::array<index, 2> whole = {};  ///< (rows, columns) of the whole scan
    std::optional<stem4d::Disk> disk = {};
    Device device = Device::cpu();
    Progress progress = {};
    bool comes = false;  ///< more of it comes: what has not is shown as nothing
};

/// The last few centres of mass: turning the field by hand does not need the frames again.
class MomentCache {
  public:
    Result<std::shared_ptr<stem4d::CenterOfMass const>> get(
        Source const& source, std::optional<stem4d::Detector> const& mask);

  private:
    struct Entry {
        std::weak_ptr<Scan const> scan;
        std::string mask;
        std::shared_ptr<stem4d::CenterOfMass const> moments;
    };
    std::mutex mutex_;
    std::vector<Entry> entries_;
};

/// Arrays, and what the header says of them.
struct Answer {
    ArrayMessage arrays = {};
    Json fields = Json::object();
};
Result<Answer> answer_image(Source const& source, ImageRequest const& request, MomentCache& cache);
Result<Answer> answer_frame(Source const& source, FrameRequest const& request);
Result<Answer> answer_pattern(Source const& source, PatternRequest const& request);

}  // namespace sluice::app
