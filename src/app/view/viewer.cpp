// Joins the server and the desk.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/viewer.h"

#include "app/view/desk.h"

namespace sluice::app {
namespace {

constexpr int ports_to_try = 20;

Result<server::Server> listen(ViewerOptions options) {
    auto server = server::Server::listen(options.server);
    for (int i = 1;
         !server && server.error().code == Code::io && options.try_next_ports && i < ports_to_try;
         ++i) {
        ++options.server.port;
        server = server::Server::listen(options.server);
    }
    return server;
}

}  // namespace

struct Viewer::State {
    State(server::Server s, std::unique_ptr<Domain> d)
        : server(std::move(s)), desk(std::move(d), post()) {}

    server::Server server;
    Desk desk;  // last: its threads use the server

    Post post() {
        return {[this](ClientId client, std::string const& slot, server::SharedMessage message) {
                    server.send(client, slot, std::move(message));
                },
                [this](ClientId client) { return server.backlog(client); }};
    }
};

Viewer::Viewer(std::unique_ptr<State> state) : state_(std::move(state)) {}
Viewer::Viewer(Viewer&&) noexcept = default;
Viewer& Viewer::operator=(Viewer&&) noexcept = default;
Viewer::~Viewer() = default;

Result<Viewer> Viewer::start(std::unique_ptr<Domain> domain, ViewerOptions options) {
    // Each domain's page is a file of its own, at the same address.
    options.server.asset = [asset = std::move(options.server.asset),
                            page = std::string(domain->page())](std::string_view path) {
        return asset ? asset(path == "/" ? page : path) : nullptr;
    };
    SLUICE_TRY(server::Server server, listen(std::move(options)));
    auto state = std::make_unique<State>(std::move(server), std::move(domain));
    state->desk.begin();
    return Viewer(std::move(state));
}

std::string Viewer::url() const {
    return state_->server.url();
}
std::vector<std::string> const& Viewer::notes() const {
    return state_->desk.domain().notes();
}
void Viewer::run(std::function<bool()> const& interrupted) {
    state_->server.run(state_->desk, interrupted);
}
void Viewer::stop() {
    state_->server.stop();
}

}  // namespace sluice::app
