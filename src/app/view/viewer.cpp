// Joins the server, the engine and the domain.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/viewer.h"

#include "app/view/engine.h"
#include "app/view/error_message.h"
#include "base/version.h"

namespace sluice::app {
namespace {

constexpr int protocol = 1, max_mistakes = 5, ports_to_try = 20;

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

// Whoever pings wants to know that answers come, so that it waits in the queue as others do.
Work pong() {
    Work work;
    work.echo = {{"op", "ping"}};
    work.answer = [](Engine& engine, Job const& job) { engine.pong(job); };
    return work;
}

}  // namespace

struct Viewer::State final : server::Handler {
    State(server::Server s, std::unique_ptr<Domain> d)
        : server(std::move(s)), domain(std::move(d)), engine(*domain, post()) {}
    ~State() override {
        // Its last changes still reach the engine.
        domain->end();
    }

    server::Server server;
    std::unique_ptr<Domain> domain;
    std::map<ClientId, int> mistakes;
    // Held while something is described and sent: what is told last is the latest.
    std::mutex telling;
    Engine engine;  // last: its threads use all of the above

    Post post() {
        return {[this](ClientId client, std::string const& slot, server::SharedMessage message) {
                    server.send(client, slot, std::move(message));
                },
                [this](ClientId client) { return server.backlog(client); }};
    }
    void tell(std::string const& slot, std::function<Json()> const& describe) {
        std::lock_guard lock(telling);
        server.send(0, slot, text_message(describe()));
    }
    bool reject(ClientId client, BadRequest const& bad) {
        engine.reject(client, bad);
        return ++mistakes[client] <= max_mistakes;
    }

    // On the thread of the sockets, which serves everybody.
    Result<Work> understood(std::string const& op, Fields const& fields) {
        try {
            return domain->understand(op, fields);
        } catch (std::exception const& thrown) {
            return error_of(thrown);
        }
    }

    void visited() override { domain->page_opens(); }
    void opened(ClientId client) override {
        std::lock_guard lock(telling);
        Json hello{{"op", "hello"}, {"protocol", protocol}, {"version", std::string(version)}};
        hello.update(domain->hello());
        hello["notes"] = domain->notes();
        server.send(client, "hello", text_message(hello));
    }
    bool received(ClientId client, std::string_view text) override {
        auto read = read_request(text);
        if (auto const* bad = std::get_if<BadRequest>(&read)) return reject(client, *bad);
        auto& [envelope, fields] = std::get<RawRequest>(read);
        Result<Work> work = envelope.op == "ping" ? pong() : understood(envelope.op, fields);
        if (!work) return reject(client, {work.error().message, envelope, work.error().code});
        mistakes[client] = 0;
        engine.ask(client, std::move(envelope), *std::move(work));
        return true;
    }
    void closed(ClientId client) override {
        mistakes.erase(client);
        engine.forget(client);
    }
    void drained(ClientId) override { engine.wake(); }
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
    State& shell = *state;
    shell.domain->begin({shell.engine, [&shell](std::string const& slot, auto const& describe) {
                             shell.tell(slot, describe);
                         }});
    return Viewer(std::move(state));
}

std::string Viewer::url() const {
    return state_->server.url();
}
std::vector<std::string> const& Viewer::notes() const {
    return state_->domain->notes();
}
void Viewer::run(std::function<bool()> const& interrupted) {
    state_->server.run(*state_, interrupted);
}
void Viewer::stop() {
    state_->server.stop();
}

}  // namespace sluice::app
