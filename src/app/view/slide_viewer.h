// SlideViewer: the program behind the page of slides: files, requests, and the server.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "server/server.h"
#include "sluice/czi.h"

namespace sluice::app {

struct SlideViewerOptions {
    server::Options server;
    std::vector<std::string> paths;  ///< CZI files and OME-Zarr folders
    czi::OpenOptions open = {};
    bool try_next_ports = false;  ///< when the port is taken
};

class SlideViewer {
  public:
    /// Opens the files and the port. Fails where no path is a slide.
    static Result<SlideViewer> start(SlideViewerOptions options);
    SlideViewer(SlideViewer&&) noexcept;
    SlideViewer& operator=(SlideViewer&&) noexcept;
    ~SlideViewer();

    std::string url() const;
    /// What is worth a line in the terminal: paths that could not be opened.
    std::vector<std::string> const& notes() const;
    /// Serves until stop(), or until `interrupted` is true.
    void run(std::function<bool()> const& interrupted);
    void stop();

  private:
    struct State;
    explicit SlideViewer(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace sluice::app
