// Serves a page until Ctrl-C, and opens the browser where that is wanted.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/page_options.h"

#include <spawn.h>

#include <csignal>
#include <cstdio>

#include "app/cli/shell/terminal.h"
#include "app/view/page.h"
#include "app/view/viewer.h"

extern char** environ;

namespace sluice::cli {
namespace {

constexpr std::uint16_t usual_port = 8800;

Result<server::Options> server_of(PageOptions const& c) {
    server::Options o;
    o.host = c.host;
    o.port = c.port.value_or(usual_port);
    o.allow_remote = c.allow_remote;
    o.asset = app::page_asset;
    o.token = c.token;
    if (c.token.empty()) {
        SLUICE_TRY(o.token, server::random_token());
    }
    return o;
}

// The desktop's own way to open a page; where there is no desktop the printed address serves.
void open_browser(std::string url) {
    std::string program = "xdg-open";
    char* const words[] = {program.data(), url.data(), nullptr};
    // A session of its own: Ctrl-C ends the viewer and not the browser. Nobody waits for it.
    std::signal(SIGCHLD, SIG_IGN);
    posix_spawnattr_t attributes;
    if (::posix_spawnattr_init(&attributes) != 0) return;
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
    pid_t process = 0;
    ::posix_spawnp(&process, "xdg-open", nullptr, &attributes, words, environ);
    ::posix_spawnattr_destroy(&attributes);
}

}  // namespace

void PageOptions::add(Verb const& app, std::string const& with) {
    Option const all[] = {
        app.add_option("--port", port,
                       "port, or 0 for any that is free [8800, or the next that is free]"),
        app.add_option("--host", host, "address of this machine to listen on")
            .capture_default_str(),
        app.add_flag("--allow-remote", allow_remote,
                     "let other machines connect; what is sent is not encrypted"),
        app.add_option("--token", token, "what the address must hold [random]"),
        app.add_flag("--print-url", print_url, "print nothing but the address, for a notebook"),
        app.add_flag("--browser", browser, "open the desktop's browser")};
    if (!with.empty())
        for (Option const& option : all) option.needs(with);
}

Status serve_page(std::unique_ptr<app::Domain> domain, PageOptions const& c,
                  std::function<Status()> const& first) {
    app::ViewerOptions options;
    SLUICE_TRY(options.server, server_of(c));
    options.try_next_ports = !c.port;
    SLUICE_TRY(app::Viewer viewer, app::Viewer::start(std::move(domain), std::move(options)));
    if (first) SLUICE_CHECK(first());
    for (std::string const& note : viewer.notes()) say(stderr, "sluice: {}\n", note);
    if (char const* const lacks = app::page_lacks())
        say(stderr, "sluice: this build has no page ({}); build it again with ./dev build\n",
            lacks);
    if (c.print_url)
        say("{}\n", viewer.url());
    else
        say("Open this address in a browser (it holds the key, so share it with care):\n"
            "  {}\nCtrl-C ends the viewer.\n",
            viewer.url());
    std::fflush(stdout);
    if (c.browser) open_browser(viewer.url());
    viewer.run([] { return interrupted(); });
    return {};
}

}  // namespace sluice::cli
