// Viewer: the program behind the page: datasets, requests, and the server in front of them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/view/loader.h"

namespace sluice::app {

struct ViewerOptions {
    server::Options server;
    std::vector<std::string> paths;  ///< files and folders; folders are watched
    OpenOptions open;
    LoadOptions load;
    Device device = Device::cpu();
    /// Words of the command line that say how all is opened and loaded, for the page to repeat.
    std::vector<std::string> loading;
    Json session;                 ///< what the page is to begin with, or null
    bool try_next_ports = false;  ///< when the port is taken
    /// How often folders and files are looked at.
    std::chrono::milliseconds look_every = std::chrono::seconds(2);
};

class Viewer {
  public:
    /// Opens the port and begins to load. Fails where no path is a dataset or a folder.
    static Result<Viewer> start(ViewerOptions options);
    Viewer(Viewer&&) noexcept;
    Viewer& operator=(Viewer&&) noexcept;
    ~Viewer();

    std::string url() const;
    /// What is worth a line in the terminal: paths that could not be opened.
    std::vector<std::string> const& notes() const;
    /// Serves until stop(), or until `interrupted` is true.
    void run(std::function<bool()> const& interrupted);
    void stop();

  private:
    struct State;
    explicit Viewer(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace sluice::app
