// The server beside a reconstruction, and what is told to it.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/ptychography/monitor.h"

#include <fmt/format.h>

#include <charconv>
#include <thread>

#include "app/cli/shell/terminal.h"
#include "app/view/page.h"
#include "app/view/ptychography/monitor.h"
#include "app/view/viewer.h"
#include "sluice/ptychography_settings.h"

namespace sluice::cli {
namespace {

constexpr std::uint16_t monitor_port = 8800;
// A page on a slow line gets its last pictures in this time, or not at all.
constexpr auto farewell = std::chrono::seconds(10), hasty_farewell = std::chrono::seconds(1);
constexpr auto look_for_interrupts = std::chrono::milliseconds(50);

Result<std::optional<std::uint16_t>> monitor_port_of(std::string const& text) {
    if (text.empty()) return std::optional<std::uint16_t>();
    std::uint16_t port = 0;
    auto const [end, failed] = std::from_chars(text.data(), text.data() + text.size(), port);
    if (failed != std::errc() || end != text.data() + text.size())
        return Error{Code::invalid_argument,
                     fmt::format("--monitor {} (a port is a number from 0 to 65535) write paths "
                                 "before it, or leave the port out",
                                 text)};
    return std::optional(port);
}

Result<app::Viewer> serve(std::unique_ptr<app::Domain> domain, std::optional<std::uint16_t> port) {
    app::ViewerOptions o;
    o.server.port = port.value_or(monitor_port);
    o.server.asset = app::page_asset;
    SLUICE_TRY(o.server.token, server::random_token());
    o.try_next_ports = !port;
    auto viewer = app::Viewer::start(std::move(domain), std::move(o));
    if (!viewer && viewer.error().code == Code::io)
        return Error{Code::io, fmt::format("cannot listen on port {} (another program has it) give "
                                           "--monitor another one, or 0 for any that is free",
                                           port.value_or(monitor_port))};
    return viewer;
}

std::string solver_of(stem4d::PtychographyStage const& stage) {
    for (auto const& [name, value] : stem4d::settings_of(stage))
        if (name == "solver") return value;
    return "";
}

void print_address(app::Viewer const& viewer) {
    std::string const url = viewer.url();
    std::string const port = url.substr(url.rfind(':') + 1, url.find("/?") - url.rfind(':') - 1);
    if (char const* const lacks = app::page_lacks())
        say(stderr, "sluice: this build has no page ({}); build it again with ./dev build\n",
            lacks);
    say(stderr,
        "Watch it in a browser (the address holds the key, so share it with care):\n"
        "  {}\nFrom another machine first: ssh -L {}:127.0.0.1:{} THIS_MACHINE\n",
        url, port, port);
    std::fflush(stderr);
}

}  // namespace

void MonitorOptions::add(Verb const& app) {
    app->add_option("--monitor", port,
                    "watch it in the browser, at this port, or 0 for any that is free [8800, or "
                    "the next that is free]")
        .with_or_without_value();
    app->add_flag("--monitor-stay", stay, "after the end the page can be used until Ctrl-C")
        .needs("--monitor");
}

struct JobMonitor::State {
    State(app::Viewer v, app::Monitor& m, bool stays)
        : viewer(std::move(v)), monitor(m), stay(stays) {
        thread = std::thread([this] { viewer.run([] { return false; }); });
    }
    ~State() {
        viewer.stop();
        thread.join();
    }
    State(State const&) = delete;

    void let_pages_hear(std::chrono::milliseconds longest) const {
        double const start = now();
        bool const before = interrupted();
        std::chrono::duration<double> const most = longest;
        while (now() - start < most.count() && interrupted() == before)
            if (monitor.wait_for_pages(look_for_interrupts)) return;
    }

    app::Viewer viewer;
    app::Monitor& monitor;
    bool stay;
    std::thread thread;
};

JobMonitor::JobMonitor(std::unique_ptr<State> state) : state_(std::move(state)) {}
JobMonitor::JobMonitor(JobMonitor&&) noexcept = default;
JobMonitor& JobMonitor::operator=(JobMonitor&&) noexcept = default;
JobMonitor::~JobMonitor() = default;

Result<JobMonitor> JobMonitor::start(MonitorOptions const& options) {
    if (options.port == MonitorOptions::none) return JobMonitor(nullptr);
    SLUICE_TRY(auto const port, monitor_port_of(options.port));
    auto domain = std::make_unique<app::Monitor>(options.stay);
    app::Monitor& monitor = *domain;
    SLUICE_TRY(app::Viewer viewer, serve(std::move(domain), port));
    print_address(viewer);
    return JobMonitor(std::make_unique<State>(std::move(viewer), monitor, options.stay));
}

void JobMonitor::watch(std::string const& name, bool follows, stem4d::Patterns const& patterns,
                       stem4d::PtychographyOptions& options) {
    if (!state_) return;
    auto const grid = stem4d::ptychography_grid(patterns, options);
    app::MonitoredJob job{.name = name,
                          .patterns = patterns.count(),
                          .size = patterns.size,
                          .window = grid ? grid->window : patterns.size,
                          .pixel_nm = grid ? grid->pixel_nm : patterns.pixel_nm,
                          .wavelength_nm = patterns.wavelength_nm,
                          .slices = options.slices,
                          .modes = options.modes,
                          .slice_nm = options.slice_nm,
                          .follows = follows};
    for (auto const& stage : options.stages)
        job.stages.push_back({solver_of(stage), stage.iterations, stage.refine_positions});
    state_->monitor.start(std::move(job));
    options.watch = [&monitor = state_->monitor](stem4d::PtychographyView const& view) {
        monitor.look(view);
    };
}

void JobMonitor::finish(Result<stem4d::PtychographyResult> const& result) {
    if (state_ && result) state_->monitor.finish(*result);
}

void JobMonitor::pause(stem4d::PtychographyResult const& result) {
    if (state_) state_->monitor.pause(result);
}

void JobMonitor::conclude(Status const& status) {
    if (!state_) return;
    if (!status) {
        bool const stopped = status.error().code == Code::cancelled;
        state_->monitor.fail(stopped ? "" : status.error().text(), stopped);
        return state_->let_pages_hear(stopped ? hasty_farewell : farewell);
    }
    if (state_->stay && !interrupted()) {
        say(stderr, "The page stays; Ctrl-C ends it.\n");
        std::fflush(stderr);
        while (!interrupted()) std::this_thread::sleep_for(look_for_interrupts);
        return;
    }
    state_->let_pages_hear(farewell);
}

}  // namespace sluice::cli
