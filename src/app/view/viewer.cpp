// Joins the server, the engine, the loader and the catalog.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/viewer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "app/view/echo.h"
#include "app/view/engine.h"
#include "base/version.h"

namespace sluice::app {
namespace {

namespace fs = std::filesystem;
constexpr int protocol = 1, max_mistakes = 5, ports_to_try = 20;

// What paths stand for; those that cannot be used leave a line in `notes`.
std::vector<std::string> collect(ViewerOptions const& options, Catalog& catalog,
                                 std::vector<std::string>& notes, bool& usable) {
    std::vector<std::string> folders;
    for (std::string const& path : options.paths) {
        std::error_code failed;
        if (fs::is_directory(path, failed)) {
            folders.push_back(path);
            auto const files = list_members(path, options.open);
            if (!files) notes.push_back(files.error().text());
            for (std::string const& file : files ? *files : std::vector<std::string>{})
                if (!catalog.holds(file)) catalog.add(file);
            continue;
        }
        // Opened once here, so that a wrong name is said in the terminal at once.
        auto const dataset = sluice::open(path, options.open);
        if (!dataset && dataset.error().code != Code::incomplete)
            notes.push_back(dataset.error().text());
        // A file that cannot be opened stays listed with the reason: it may be mended, or complete
        // later.
        bool const there = dataset || fs::is_regular_file(path, failed);
        if (there && !catalog.holds(path)) catalog.add(path);
        usable = usable || dataset || dataset.error().code == Code::incomplete ||
                 (there && dataset.error().code == Code::not_found);
    }
    usable = usable || !folders.empty();
    return folders;
}

}  // namespace

struct Viewer::State final : server::Handler {
    explicit State(server::Server s) : server(std::move(s)) {}

    server::Server server;
    Catalog catalog;
    Json session;
    bool watching = false;
    std::vector<std::string> notes, loading;
    std::map<ClientId, int> mistakes;
    std::unique_ptr<Loader> loader;
    std::unique_ptr<Engine> engine;  // last: its threads use all of the above

    // Held while something is described and sent: what is told last is the latest.
    std::mutex telling;

    void tell_all(std::string const& slot, std::function<Json()> const& describe) {
        std::lock_guard lock(telling);
        server.send(0, slot, text_message(describe()));
    }
    // The page chooses the names of its slots, and must not meet ours.
    static std::string slot_of_page(std::string const& name) { return "page:" + name; }
    void refuse(ClientId client, std::string const& slot, std::uint64_t id,
                std::string const& message, Json request = nullptr) {
        Json const error{{"op", "error"},      {"id", id},
                         {"slot", slot},       {"request", std::move(request)},
                         {"message", message}, {"code", "invalid_argument"}};
        server.send(client, slot_of_page(slot), text_message(error));
    }
    void start(ViewerOptions const& options, std::vector<std::string> folders);

    void opened(ClientId client) override {
        std::lock_guard lock(telling);
        Json const hello{{"op", "hello"},
                         {"protocol", protocol},
                         {"version", std::string(version)},
                         {"max_detectors", max_detectors},
                         {"datasets", catalog.describe_all()},
                         {"watching", watching},
                         {"session", session},
                         {"loading", loading},
                         {"notes", notes}};
        server.send(client, "hello", text_message(hello));
    }
    bool received(ClientId client, std::string_view text) override {
        auto request = parse_request(text);
        if (auto* bad = std::get_if<BadRequest>(&request)) {
            engine->forget(client, bad->slot);
            refuse(client, bad->slot, bad->id, bad->message);
            return ++mistakes[client] <= max_mistakes;
        }
        mistakes[client] = 0;
        Request& good = std::get<Request>(request);
        std::string const slot = good.slot;
        std::uint64_t const id = good.id;
        Json const asked = echo(good);
        if (auto taken = engine->ask(client, std::move(good)); !taken)
            refuse(client, slot, id, taken.error().message, asked);
        return true;
    }
    void closed(ClientId client) override {
        mistakes.erase(client);
        engine->forget(client);
    }
    void drained(ClientId) override { engine->wake(); }
};

void Viewer::State::start(ViewerOptions const& options, std::vector<std::string> folders) {
    LoaderOptions load;
    load.open = options.open;
    load.load = options.load;
    load.device = options.device;
    load.folders = std::move(folders);
    load.look_every = options.look_every;
    load.progress = [this](std::string const& id, LoadProgress p) {
        double const rate = static_cast<double>(p.done) / std::max(p.seconds, 1e-3);
        double const left =
            static_cast<double>(p.total - std::min(p.done, p.total)) / std::max(rate, 1.0);
        tell_all("progress:" + id, [&] {
            return Json{{"op", "progress"}, {"dataset", id}, {"slot", nullptr}, {"done", p.done},
                        {"total", p.total}, {"rate", rate},  {"left", left}};
        });
    };
    load.added = [this] {
        tell_all("datasets", [&] {
            return Json{{"op", "datasets"}, {"datasets", catalog.describe_all()}};
        });
    };
    watching = !load.folders.empty();
    loader = std::make_unique<Loader>(catalog, std::move(load));
    EngineOptions answers;
    answers.device = options.device;
    answers.send = [this](ClientId client, std::string const& slot, server::SharedMessage m) {
        server.send(client, slot_of_page(slot), std::move(m));
    };
    answers.backlog = [this](ClientId client) { return server.backlog(client); };
    engine = std::make_unique<Engine>(catalog, *loader, std::move(answers));
    catalog.on_change = [this](std::string const& id) {
        // One that is gone is missing in the next list.
        if (catalog.get(id))
            tell_all("dataset:" + id, [&] {
                return Json{{"op", "dataset"}, {"dataset", catalog.describe(id)}};
            });
        engine->changed(id);
    };
    // Only now, since its changes reach the engine.
    loader->begin();
}

Viewer::Viewer(std::unique_ptr<State> state) : state_(std::move(state)) {}
Viewer::Viewer(Viewer&&) noexcept = default;
Viewer& Viewer::operator=(Viewer&&) noexcept = default;
Viewer::~Viewer() {
    if (!state_) return;
    // The loader's last changes still reach the engine.
    state_->loader.reset();
    state_->engine.reset();
}

Result<Viewer> Viewer::start(ViewerOptions options) {
    auto server = server::Server::listen(options.server);
    for (int i = 1;
         !server && server.error().code == Code::io && options.try_next_ports && i < ports_to_try;
         ++i) {
        ++options.server.port;
        server = server::Server::listen(options.server);
    }
    if (!server) return std::move(server).error();
    auto state = std::make_unique<State>(std::move(*server));
    bool usable = false;
    auto folders = collect(options, state->catalog, state->notes, usable);
    if (!usable)
        return Error{Code::not_found,
                     fmt::format("nothing to look at:\n  {}", fmt::join(state->notes, "\n  "))};
    state->session = options.session;
    state->loading = options.loading;
    state->start(options, std::move(folders));
    return Viewer(std::move(state));
}

std::string Viewer::url() const {
    return state_->server.url();
}
std::vector<std::string> const& Viewer::notes() const {
    return state_->notes;
}
void Viewer::run(std::function<bool()> const& interrupted) {
    state_->server.run(*state_, interrupted);
}
void Viewer::stop() {
    state_->server.stop();
}

}  // namespace sluice::app
