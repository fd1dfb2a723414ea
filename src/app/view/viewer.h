// Viewer: the program behind a page: the server, the queue of requests, and a domain that answers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/view/domain.h"

namespace sluice::app {

struct ViewerOptions {
    server::Options server;
    bool try_next_ports = false;  ///< when the port is taken
};

class Viewer {
  public:
    /// Opens the port and lets the domain begin.
    static Result<Viewer> start(std::unique_ptr<Domain> domain, ViewerOptions options);
    Viewer(Viewer&&) noexcept;
    Viewer& operator=(Viewer&&) noexcept;
    ~Viewer();

    std::string url() const;
    /// Lines for the terminal: paths that could not be opened.
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
