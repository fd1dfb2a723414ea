// Desk: where a domain meets its clients, by whatever way their messages come.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/view/engine.h"

namespace sluice::app {

/// Greets clients, hears them, and hands what they ask to the engine. What it is told of clients
/// comes from one thread at a time.
class Desk final : public server::Handler {
  public:
    /// A message of `post` for client 0 is for all.
    Desk(std::unique_ptr<Domain> domain, Post post);
    ~Desk() override;

    Domain const& domain() const { return *domain_; }
    /// Lets the domain begin.
    void begin();

    void visited() override { domain_->page_opens(); }
    void opened(ClientId client) override;
    bool received(ClientId client, std::string_view text) override;
    void closed(ClientId client) override;
    void drained(ClientId) override { engine_.wake(); }

  private:
    void tell(std::string const& slot, std::function<Json()> const& describe);
    bool reject(ClientId client, BadRequest const& bad);
    Result<Work> understood(std::string const& op, Fields const& fields);

    std::unique_ptr<Domain> domain_;
    Post post_;
    std::map<ClientId, int> mistakes_;
    // Held while something is described and sent: what is told last is the latest.
    std::mutex telling_;
    Engine engine_;  // last: its threads use all of the above
};

}  // namespace sluice::app
