// A profile's spans as Chrome trace events.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "sluice/slide_profile.h"

namespace sluice::slide {
namespace {

using Json = nlohmann::ordered_json;

Json name_event(char const* what, int pid, int tid, std::string const& name) {
    return {{"name", what}, {"ph", "M"}, {"pid", pid}, {"tid", tid}, {"args", {{"name", name}}}};
}

// Times are microseconds in this format.
Json span_event(Slide const& slide, Span const& s, int pid) {
    auto const us = [](std::int64_t ns) { return static_cast<double>(ns) / 1000; };
    Json args{{"cpu_us", us(s.cpu_ns)}, {"bytes", s.bytes}};
    std::string name(name_of(s.phase));
    if (s.tile >= 0) {
        Tile const& t = slide.tiles()[static_cast<std::size_t>(s.tile)];
        czi::Entry const& e = slide.file().entries()[static_cast<std::size_t>(t.entry)];
        args["tile"] = s.tile;
        args["x"] = t.rect.x;
        args["y"] = t.rect.y;
        args["width"] = t.rect.width;
        args["height"] = t.rect.height;
        if (t.m != czi::none) args["m"] = t.m;
        if (t.scene != czi::none) args["scene"] = t.scene;
        args["file_offset"] = e.offset;
        if (s.phase == Phase::decode) name += fmt::format(" {}", czi::name_of(e.compression));
    }
    return {{"name", name},         {"cat", name_of(s.phase)},          {"ph", "X"},
            {"ts", us(s.begin_ns)}, {"dur", us(s.end_ns - s.begin_ns)}, {"pid", pid},
            {"tid", s.worker},      {"args", std::move(args)}};
}

void add(Slide const& slide, ReadTimes const& read, int pid, Json& events) {
    events.push_back(
        name_event("process_name", pid, 0,
                   fmt::format("{} thread{}, {}", read.threads, read.threads == 1 ? "" : "s",
                               read.cold ? "from the disk" : "from the cache")));
    for (int w = 0; w < read.threads; ++w)
        events.push_back(name_event("thread_name", pid, w, fmt::format("worker {}", w)));
    for (Span const& s : read.spans) events.push_back(span_event(slide, s, pid));
}

}  // namespace

std::string trace_events(Slide const& slide, Profile const& profile) {
    Json events = Json::array();
    int pid = 1;
    for (ReadTimes const& r : profile.reads) add(slide, r, pid++, events);
    if (profile.cold_read) add(slide, *profile.cold_read, pid, events);
    Json const all{{"traceEvents", std::move(events)},
                   {"displayTimeUnit", "ms"},
                   {"otherData", {{"file", profile.path}}}};
    return all.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace sluice::slide
