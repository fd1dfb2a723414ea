// A profile's spans as Chrome trace events.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/plural.h"
#include "base/trace_events.h"
#include "sluice/slide_profile.h"

namespace sluice::slide {
namespace {

// Says of a tile where it is.
void tell(Slide const& slide, Span const& s, TraceJson& event) {
    if (s.item < 0) return;
    Tile const& t = slide.tiles()[static_cast<std::size_t>(s.item)];
    TraceJson& args = event["args"];
    args["x"] = t.rect.x;
    args["y"] = t.rect.y;
    args["width"] = t.rect.width;
    args["height"] = t.rect.height;
    if (t.m != none) args["m"] = t.m;
    if (t.scene != none) args["scene"] = t.scene;
    if (auto const at = slide.offset(s.item)) args["file_offset"] = *at;
    if (s.phase == Phase::decode)
        event["name"] = fmt::format("{} {}", name_of(s.phase), slide.compression(s.item));
}

TracedRun traced(Slide const& slide, ReadTimes const& read) {
    return {fmt::format("{}, {}", plural(read.threads, "thread"),
                        read.cold ? "from the disk" : "from the cache"),
            read.threads, "tile", read.spans,
            [&slide](Span const& s, TraceJson& event) { tell(slide, s, event); }};
}

}  // namespace

std::string trace_events(Slide const& slide, Profile const& profile) {
    std::vector<TracedRun> runs;
    for (ReadTimes const& r : profile.reads) runs.push_back(traced(slide, r));
    if (profile.cold_read) runs.push_back(traced(slide, *profile.cold_read));
    return trace_events(runs, {{"file", profile.path}});
}

}  // namespace sluice::slide
