// Spans of several runs as Chrome trace events.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <span>

#include "sluice/trace.h"

namespace sluice {

using TraceJson = nlohmann::ordered_json;

/// Runs that are shown one below the other.
struct TracedRun {
    std::string name;
    int workers = 1;
    std::string item;  ///< what Span::item counts, as "tile"
    std::vector<Span> spans;
    /// Adds what only the caller knows of a span, in event["args"]; may be empty.
    std::function<void(Span const&, TraceJson& event)> tell = {};
};

/// `about`: names and values that go with the whole, such as the file.
std::string trace_events(std::vector<TracedRun> const& runs,
                         std::vector<std::pair<std::string, std::string>> const& about);

}  // namespace sluice
