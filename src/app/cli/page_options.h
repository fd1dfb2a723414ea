// How a page is served: the options of `sluice view`, and of other verbs that show one.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string_view>

#include "app/cli/shell/verb.h"
#include "app/view/domain.h"

namespace sluice::cli {

struct PageOptions {
    static constexpr std::array<std::string_view, 6> names{
        "--port", "--host", "--allow-remote", "--token", "--print-url", "--browser"};

    std::string host = "127.0.0.1", token;
    std::optional<std::uint16_t> port;
    bool allow_remote = false, print_url = false, browser = false;

    /// `with`: the option without which these say nothing, as "--view"; empty: there is none.
    void add(Verb const& app, std::string const& with = {});
};

/// Serves the domain's page until Ctrl-C, and tells where. `first` is done when the port is ours,
/// before the address is told and anybody is served.
Status serve_page(std::unique_ptr<app::Domain> domain, PageOptions const& options,
                  std::function<Status()> const& first = {});

}  // namespace sluice::cli
