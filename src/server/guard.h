// Who may talk to the server: the checks of every request, as pure functions.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sluice/result.h"

namespace sluice::server {

/// The names under which this server may be addressed.
struct Allowed {
    std::vector<std::string>
        hosts;  ///< without port, lower case: "127.0.0.1", "localhost", "[::1]"
    std::uint16_t port = 0;
    bool any_host = false;  ///< served to other machines, whose names for this one are not known
};

/// The value of `token=` in a request's target, percent-decoded; empty where there is none.
std::string token_of(std::string_view target);

/// A text as it may stand in a query.
std::string percent_encoded(std::string_view text);

/// The target without its query: "/live".
std::string_view path_of(std::string_view target);

/// Compares in a time that tells nothing of where they differ.
bool same_secret(std::string_view a, std::string_view b);

/// Whether a Host header names this server: a foreign name means that somebody's DNS points here.
bool host_allowed(std::string_view host, Allowed const& allowed);

/// Whether a page of this origin may open the socket: its own pages, and programs that
/// are not browsers and send no origin.
bool origin_allowed(std::string_view origin, std::string_view host);

/// 32 hexadecimal digits from the system's generator.
Result<std::string> random_token();

}  // namespace sluice::server
