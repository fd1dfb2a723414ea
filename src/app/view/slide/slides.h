// Slides: CZI files and OME-Zarr folders as a domain of the viewer.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/view/domain.h"
#include "app/view/slide/tiles.h"

namespace sluice::app {

class Slides final : public Domain {
  public:
    /// Opens the files. Fails where no path is a slide.
    static Result<std::unique_ptr<Domain>> open(std::vector<std::string> const& paths,
                                                slide::SlideOpenOptions const& options = {});

    std::string_view page() const override { return "/slide.html"; }
    Json hello() const override;
    std::vector<std::string> const& notes() const override { return notes_; }
    Threads threads() const override;
    Result<Work> understand(std::string const& op, Fields const& fields) override;

  private:
    Slides(std::vector<ShownSlide> slides, std::vector<std::string> notes);
    Result<server::SharedMessage> message_for(Engine& engine, Job const& job,
                                              SlideRequest const& request);

    std::vector<ShownSlide> slides_;
    std::vector<std::string> notes_;
    Json described_ = Json::array();
    slide::TileCache cache_;  ///< of decoded tiles, for all clients together
};

}  // namespace sluice::app
