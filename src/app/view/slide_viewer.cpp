// Joins the server, the engine and the files.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/slide_viewer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/view/slide_engine.h"
#include "base/version.h"

namespace sluice::app {
namespace {

constexpr int protocol = 1, max_mistakes = 5, ports_to_try = 20;

// A plate may have thousands of images; the list of the page is for people.
constexpr std::size_t most_images = 200;

// The paths of all images at some paths.
std::vector<std::string> images_at(std::vector<std::string> const& paths,
                                   std::vector<std::string>& notes) {
    std::vector<std::string> out;
    for (std::string const& path : paths) {
        auto images = slide::slides_in(path);
        if (!images) {
            notes.push_back(images.error().text());
            continue;
        }
        if (images->size() > most_images) {
            notes.push_back(
                fmt::format("{}: has {} images, of which the first {} are shown; give "
                            "the folder of another to see it",
                            path, images->size(), most_images));
            images->resize(most_images);
        }
        out.insert(out.end(), images->begin(), images->end());
    }
    return out;
}

// Those that cannot be opened leave a line in `notes`.
std::vector<ShownSlide> open_all(std::vector<std::string> const& paths, czi::OpenOptions options,
                                 std::vector<std::string>& notes) {
    std::vector<ShownSlide> slides;
    for (std::string const& path : images_at(paths, notes)) {
        auto slide = slide::Slide::open(path, options);
        if (slide && slide->tiles().empty())
            notes.push_back(fmt::format("{}: the file has no tiles", path));
        else if (!slide)
            notes.push_back(slide.error().text());
        else {
            SlideContent content = content_of(*slide);
            slides.push_back({fmt::format("s{}", slides.size() + 1), path, *std::move(slide),
                              std::move(content)});
        }
    }
    return slides;
}

// The page of slides is a file of its own, and the address the same.
void show_slides(server::Options& options) {
    options.asset = [asset = std::move(options.asset)](std::string_view path) {
        return asset ? asset(path == "/" ? "/slide.html" : path) : nullptr;
    };
}

}  // namespace

struct SlideViewer::State final : server::Handler {
    explicit State(server::Server s) : server(std::move(s)) {}

    server::Server server;
    std::vector<ShownSlide> slides;
    std::vector<std::string> notes;
    std::map<ClientId, int> mistakes;
    server::SharedMessage hello;
    std::unique_ptr<SlideEngine> engine;  // last: its threads use all of the above

    // The page chooses the names of its slots, and must not meet ours.
    static std::string slot_of_page(std::string const& name) { return "page:" + name; }
    void refuse(ClientId client, std::string const& slot, std::uint64_t id,
                std::string const& message) {
        Json const error{{"op", "error"}, {"id", id}, {"slot", slot}, {"message", message}};
        server.send(client, slot_of_page(slot), text_message(error));
    }
    void start() {
        Json list = Json::array();
        for (ShownSlide const& s : slides) list.push_back(describe(s));
        hello = text_message({{"op", "hello"},
                              {"protocol", protocol},
                              {"version", std::string(version)},
                              {"tile", tile_side},
                              {"slides", std::move(list)},
                              {"notes", notes}});
        SlideEngineOptions answers;
        answers.send = [this](ClientId client, std::string const& slot, server::SharedMessage m) {
            server.send(client, slot_of_page(slot), std::move(m));
        };
        answers.backlog = [this](ClientId client) { return server.backlog(client); };
        engine = std::make_unique<SlideEngine>(slides, std::move(answers));
    }

    void opened(ClientId client) override { server.send(client, "hello", hello); }
    bool received(ClientId client, std::string_view text) override {
        auto request = parse_slide_request(text);
        if (auto* bad = std::get_if<BadRequest>(&request)) {
            engine->forget(client, bad->slot);
            refuse(client, bad->slot, bad->id, bad->message);
            return ++mistakes[client] <= max_mistakes;
        }
        mistakes[client] = 0;
        SlideRequest& good = std::get<SlideRequest>(request);
        std::string const slot = good.slot;
        std::uint64_t const id = good.id;
        if (auto taken = engine->ask(client, std::move(good)); !taken)
            refuse(client, slot, id, taken.error().message);
        return true;
    }
    void closed(ClientId client) override {
        mistakes.erase(client);
        engine->forget(client);
    }
    void drained(ClientId) override { engine->wake(); }
};

SlideViewer::SlideViewer(std::unique_ptr<State> state) : state_(std::move(state)) {}
SlideViewer::SlideViewer(SlideViewer&&) noexcept = default;
SlideViewer& SlideViewer::operator=(SlideViewer&&) noexcept = default;
SlideViewer::~SlideViewer() = default;

Result<SlideViewer> SlideViewer::start(SlideViewerOptions options) {
    std::vector<std::string> notes;
    std::vector<ShownSlide> slides = open_all(options.paths, options.open, notes);
    if (slides.empty())
        return Error{Code::not_found,
                     fmt::format("nothing to look at:\n  {}", fmt::join(notes, "\n  "))};
    show_slides(options.server);
    auto server = server::Server::listen(options.server);
    for (int i = 1;
         !server && server.error().code == Code::io && options.try_next_ports && i < ports_to_try;
         ++i) {
        ++options.server.port;
        server = server::Server::listen(options.server);
    }
    if (!server) return std::move(server).error();
    auto state = std::make_unique<State>(std::move(*server));
    state->slides = std::move(slides);
    state->notes = std::move(notes);
    state->start();
    return SlideViewer(std::move(state));
}

std::string SlideViewer::url() const {
    return state_->server.url();
}
std::vector<std::string> const& SlideViewer::notes() const {
    return state_->notes;
}
void SlideViewer::run(std::function<bool()> const& interrupted) {
    state_->server.run(*state_, interrupted);
}
void SlideViewer::stop() {
    state_->server.stop();
}

}  // namespace sluice::app
