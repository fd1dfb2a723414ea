// Volumes: doses and images in space as a domain of the viewer.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/view/domain.h"
#include "app/view/proton/open_volumes.h"
#include "app/view/proton/request.h"
#include "app/view/proton/shown_volume.h"

namespace sluice::app {

class Volumes final : public Domain {
  public:
    /// Loads volumes and structures with no more memory than `most_bytes`; 0: as much as can be
    /// spared. Fails where no volume could be loaded.
    static Result<std::unique_ptr<Domain>> open(std::vector<std::string> const& paths,
                                                std::uint64_t most_bytes = 0);

    std::string_view page() const override { return "/proton.html"; }
    Json hello() const override;
    std::vector<std::string> const& notes() const override { return notes_; }
    Threads threads() const override;
    Result<Work> understand(std::string const& op, Fields const& fields) override;

  private:
    Volumes(Opened opened, std::vector<std::string> notes);

    std::vector<ShownVolume> volumes_;
    std::vector<ShownStructure> structures_;
    std::vector<std::string> notes_;
    Json described_ = Json::array(), described_structures_ = Json::array();
};

}  // namespace sluice::app
