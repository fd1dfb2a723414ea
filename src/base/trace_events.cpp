// Chrome's trace events: one object a span, times in microseconds.
// SPDX-License-Identifier: Apache-2.0
#include "base/trace_events.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace sluice {
namespace {

TraceJson name_event(char const* what, int pid, int tid, std::string const& name) {
    return {{"name", what}, {"ph", "M"}, {"pid", pid}, {"tid", tid}, {"args", {{"name", name}}}};
}

// What the number of an item counts.
std::string item_of(TracedRun const& run, Phase phase) {
    if (phase == Phase::stage) return "stage";
    return phase == Phase::iterate || phase == Phase::constrain ? "iteration" : run.item;
}

TraceJson span_event(TracedRun const& run, Span const& s, int pid) {
    auto const us = [](std::int64_t ns) { return static_cast<double>(ns) / 1000; };
    TraceJson args{{"cpu_us", us(s.cpu_ns)}, {"bytes", s.bytes}};
    if (s.item >= 0) args[item_of(run, s.phase)] = s.item;
    TraceJson event{{"name", name_of(s.phase)}, {"cat", name_of(s.phase)},          {"ph", "X"},
                    {"ts", us(s.begin_ns)},     {"dur", us(s.end_ns - s.begin_ns)}, {"pid", pid},
                    {"tid", s.worker},          {"args", std::move(args)}};
    if (run.tell) run.tell(s, event);
    return event;
}

void add(TracedRun const& run, int pid, TraceJson& events) {
    events.push_back(name_event("process_name", pid, 0, run.name));
    for (int w = 0; w < run.workers; ++w)
        events.push_back(name_event("thread_name", pid, w, fmt::format("worker {}", w)));
    for (Span const& s : run.spans) events.push_back(span_event(run, s, pid));
}

}  // namespace

std::string trace_events(std::vector<TracedRun> const& runs,
                         std::vector<std::pair<std::string, std::string>> const& about) {
    TraceJson events = TraceJson::array(), other = TraceJson::object();
    int pid = 1;
    for (TracedRun const& run : runs) add(run, pid++, events);
    for (auto const& [name, value] : about) other[name] = value;
    TraceJson const all{{"traceEvents", std::move(events)},
                        {"displayTimeUnit", "ms"},
                        {"otherData", std::move(other)}};
    // Names of files may hold bytes that are not UTF-8.
    return all.dump(-1, ' ', false, TraceJson::error_handler_t::replace);
}

std::string trace_events(Trace const& trace, std::string const& program, std::string const& item) {
    return trace_events({TracedRun{program, trace.workers(), item, trace.spans()}},
                        {{"program", program}});
}

}  // namespace sluice
