// What a slide is, out of its file: dimensions, scenes, channels, levels, attachments.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/slide/describe.h"

#include <fmt/format.h>

namespace sluice::app {
namespace {

std::string guid_of(std::array<std::uint8_t, 16> const& g) {
    std::string s;
    for (std::size_t const i : {3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15}) {
        if (i == 5 || i == 7 || i == 8 || i == 10) s += '-';
        s += fmt::format("{:02x}", g[i]);
    }
    return s;
}

Json rect_json(slide::Rect const& r) {
    return {r.x, r.y, r.width, r.height};
}

void add_attachments(slide::Slide const& slide, SlideContent& c) {
    if (auto list = slide.attachments(); !list)
        c.notes.push_back(list.error().text());
    else
        c.attachments = *std::move(list);
    for (slide::Attachment const& a : c.attachments)
        if (!a.problem.empty()) c.notes.push_back(a.problem + " (" + a.name + ")");
    if (auto times = slide.time_stamps()) c.times = *std::move(times);
}

// Only a CZI file has a version: sub-blocks are counted, which may have several tiles.
void add_facts(slide::Slide const& slide, Json& j) {
    slide::SlideFacts const facts = slide.facts();
    j["pixel_types"] = facts.pixel_types;
    j["compressions"] = facts.compressions;
    if (!slide.source()) return;
    j["bytes"] = slide.source()->size();
    j["version"] = fmt::format("{}.{}", facts.version[0], facts.version[1]);
    j["guid"] = guid_of(facts.guid);
}

}  // namespace

SlideContent content_of(slide::Slide const& slide) {
    SlideContent c;
    c.notes = slide.notes();
    c.metadata = slide.metadata(c.notes);
    add_attachments(slide, c);
    return c;
}

Json scene_json(slide::Scene const& s, slide::Metadata const& m) {
    Json j;
    if (s.id != slide::none) j["scene"] = s.id;
    j["bounds"] = rect_json(s.bounds);
    j["tiles"] = s.tiles;
    for (slide::SceneInfo const& i : m.scenes) {
        if (i.index != s.id) continue;
        j["name"] = i.name;
        if (!i.well.empty()) j["well"] = i.well;
        if (i.row > 0) j["well_row"] = i.row;
        if (i.column > 0) j["well_column"] = i.column;
    }
    return j;
}

Json channel_json(slide::Slide const& slide, slide::Channel const& c) {
    Json j;
    j["channel"] = c.index;
    j["name"] = c.name;
    if (!c.color.empty()) j["color"] = c.color;
    if (!c.fluor.empty()) j["fluor"] = c.fluor;
    if (c.excitation_nm > 0) j["excitation_nm"] = c.excitation_nm;
    if (c.emission_nm > 0) j["emission_nm"] = c.emission_nm;
    if (c.exposure_ms > 0) j["exposure_ms"] = c.exposure_ms;
    if (c.bits > 0) j["bits"] = c.bits;
    slide::PlaneIndex plane = slide.first();
    if (c.index >= slide.counts()[slide::C]) return j;
    plane[slide::C] += c.index;
    if (auto const type = slide.pixel_type(plane)) j["pixel_type"] = name_of(*type);
    return j;
}

Json json_of(slide::Slide const& slide, SlideContent const& c) {
    Json j;
    j["path"] = slide.path();
    j["format"] = slide.format();
    add_facts(slide, j);
    j["bounds"] = rect_json(slide.bounds());
    for (std::size_t d = 0; d < slide::dimension_count; ++d)
        if (d < 3 || slide.counts()[d] > 1)
            j["dimensions"][std::string(1, slide::dimension_letters[d])] = {
                {"first", slide.first()[d]}, {"count", slide.counts()[d]}};
    j["tiles"] = slide.tiles().size();
    for (slide::Level const& l : slide.levels())
        j["levels"].push_back({{"factor", l.factor}, {"tiles", l.tiles}});
    for (slide::Scene const& s : slide.scenes()) j["scenes"].push_back(scene_json(s, c.metadata));
    for (slide::Channel const& ch : c.metadata.channels)
        j["channels"].push_back(channel_json(slide, ch));
    slide::Metadata const& m = c.metadata;
    if (m.x_um > 0) j["pixel_um"] = {{"x", m.x_um}, {"y", m.y_um}};
    if (m.z_um > 0) j["pixel_um"]["z"] = m.z_um;
    if (m.t_s > 0) j["interval_s"] = m.t_s;
    if (!m.acquired.empty()) j["acquired"] = m.acquired;
    if (!m.objective.empty()) j["objective"] = m.objective;
    if (!m.application.empty()) j["application"] = m.application;
    if (!c.times.empty()) j["time_stamps_s"] = c.times;
    for (slide::Attachment const& a : c.attachments)
        j["attachments"].push_back(
            {{"name", a.name}, {"type", a.content_type}, {"bytes", a.data_size}});
    j["notes"] = c.notes;
    return j;
}

}  // namespace sluice::app
