// What a slide is: dimensions, scenes, channels, levels, attachments.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/slide_info.h"

#include <fmt/format.h>

#include <map>

#include "app/cli/outputs.h"
#include "base/file.h"
#include "sluice/slide.h"

namespace sluice::cli {
namespace {

struct Content {
    czi::Metadata metadata;
    std::vector<czi::Attachment> attachments;
    std::vector<std::string> notes;
    std::vector<double> times;
};

Content content_of(slide::Slide const& slide) {
    Content c;
    c.notes = slide.notes();
    czi::File const& file = slide.file();
    // A file whose description is damaged still has its pixels.
    if (auto const xml = file.xml(); !xml)
        c.notes.push_back(xml.error().text());
    else if (auto parsed = czi::parse_metadata(*xml); !parsed)
        c.notes.push_back(parsed.error().text());
    else
        c.metadata = *std::move(parsed);
    if (auto list = file.attachments(); !list)
        c.notes.push_back(list.error().text());
    else
        c.attachments = *std::move(list);
    for (czi::Attachment const& a : c.attachments) {
        if (a.name != "TimeStamps") continue;
        auto const bytes = file.read(a);
        if (!bytes) continue;
        if (auto times = czi::parse_time_stamps(*bytes)) c.times = *std::move(times);
    }
    return c;
}

std::string guid_of(std::array<std::uint8_t, 16> const& g) {
    std::string s;
    for (std::size_t const i : {3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15}) {
        if (i == 5 || i == 7 || i == 8 || i == 10) s += '-';
        s += fmt::format("{:02x}", g[i]);
    }
    return s;
}

// Counts of the entries by a name.
template <class Name>
std::map<std::string, index> count(std::vector<czi::Entry> const& entries, Name name) {
    std::map<std::string, index> n;
    for (czi::Entry const& e : entries) ++n[name(e)];
    return n;
}

std::string compression_of(czi::Entry const& e) {
    std::string_view const name = czi::name_of(e.compression);
    return name.empty() ? fmt::format("unknown {}", static_cast<int>(e.compression))
                        : std::string(name);
}

std::string pixel_type_of(czi::Entry const& e) {
    std::string_view const name = czi::name_of(e.pixel_type);
    return name.empty() ? fmt::format("unknown {}", static_cast<int>(e.pixel_type))
                        : std::string(name);
}

Json rect_json(slide::Rect const& r) {
    return {r.x, r.y, r.width, r.height};
}

Json scene_json(slide::Scene const& s, czi::Metadata const& m) {
    Json j;
    if (s.id != czi::none) j["scene"] = s.id;
    j["bounds"] = rect_json(s.bounds);
    j["tiles"] = s.tiles;
    for (czi::SceneInfo const& i : m.scenes) {
        if (i.index != s.id) continue;
        j["name"] = i.name;
        if (!i.well.empty()) j["well"] = i.well;
        if (i.row > 0) j["well_row"] = i.row;
        if (i.column > 0) j["well_column"] = i.column;
    }
    return j;
}

Json channel_json(slide::Slide const& slide, czi::Channel const& c) {
    Json j;
    j["channel"] = c.index;
    j["name"] = c.name;
    if (!c.color.empty()) j["color"] = c.color;
    if (!c.fluor.empty()) j["fluor"] = c.fluor;
    if (c.excitation_nm > 0) j["excitation_nm"] = c.excitation_nm;
    if (c.emission_nm > 0) j["emission_nm"] = c.emission_nm;
    if (c.exposure_ms > 0) j["exposure_ms"] = c.exposure_ms;
    if (c.bits > 0) j["bits"] = c.bits;
    slide::Position plane = slide.first();
    plane[czi::C] += c.index;
    if (auto const type = slide.pixel_type(plane)) j["pixel_type"] = czi::name_of(*type);
    return j;
}

Json json_of(slide::Slide const& slide, Content const& c) {
    Json j;
    czi::File const& file = slide.file();
    j["path"] = file.source().name();
    j["format"] = "czi";
    j["bytes"] = file.source().size();
    j["version"] = fmt::format("{}.{}", file.header().major, file.header().minor);
    j["guid"] = guid_of(file.header().guid);
    j["bounds"] = rect_json(slide.bounds());
    for (std::size_t d = 0; d < czi::dimension_count; ++d)
        if (d < 3 || slide.counts()[d] > 1)
            j["dimensions"][std::string(1, czi::dimension_letters[d])] = {
                {"first", slide.first()[d]}, {"count", slide.counts()[d]}};
    j["tiles"] = slide.tiles().size();
    j["pixel_types"] = count(file.entries(), pixel_type_of);
    j["compressions"] = count(file.entries(), compression_of);
    for (slide::Level const& l : slide.levels())
        j["levels"].push_back({{"factor", l.factor}, {"tiles", l.tiles}});
    for (slide::Scene const& s : slide.scenes()) j["scenes"].push_back(scene_json(s, c.metadata));
    for (czi::Channel const& ch : c.metadata.channels)
        j["channels"].push_back(channel_json(slide, ch));
    czi::Metadata const& m = c.metadata;
    if (m.x_um > 0) j["pixel_um"] = {{"x", m.x_um}, {"y", m.y_um}};
    if (m.z_um > 0) j["pixel_um"]["z"] = m.z_um;
    if (m.t_s > 0) j["interval_s"] = m.t_s;
    if (!m.acquired.empty()) j["acquired"] = m.acquired;
    if (!m.objective.empty()) j["objective"] = m.objective;
    if (!m.application.empty()) j["application"] = m.application;
    if (!c.times.empty()) j["time_stamps_s"] = c.times;
    for (czi::Attachment const& a : c.attachments)
        j["attachments"].push_back(
            {{"name", a.name}, {"type", a.content_type}, {"bytes", a.data_size}});
    j["notes"] = c.notes;
    return j;
}

void line(std::string_view name, std::string const& value) {
    fmt::print("  {:<14} {}\n", name, value);
}

std::string join(std::map<std::string, index> const& counts) {
    std::string text;
    for (auto const& [name, n] : counts)
        text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", name, n);
    return text;
}

std::string size_in_um(slide::Rect const& r, czi::Metadata const& m) {
    if (m.x_um <= 0 || m.y_um <= 0) return {};
    return fmt::format(", {:.1f} x {:.1f} um", static_cast<double>(r.width) * m.x_um,
                       static_cast<double>(r.height) * m.y_um);
}

void print_channels(slide::Slide const& slide, czi::Metadata const& m) {
    for (czi::Channel const& c : m.channels) {
        Json const j = channel_json(slide, c);
        std::string text = c.name.empty() ? "(no name)" : c.name;
        if (j.contains("pixel_type")) text += ", " + j["pixel_type"].get<std::string>();
        if (!c.color.empty()) text += ", #" + c.color;
        if (c.excitation_nm > 0)
            text += fmt::format(", {:.0f} > {:.0f} nm", c.excitation_nm, c.emission_nm);
        if (c.exposure_ms > 0) text += fmt::format(", {:g} ms", c.exposure_ms);
        line(fmt::format("channel {}", c.index), text);
    }
}

void print_scenes(slide::Slide const& slide, czi::Metadata const& m) {
    constexpr std::size_t most = 24;
    std::size_t shown = 0;
    for (slide::Scene const& s : slide.scenes()) {
        if (s.id == czi::none) continue;
        if (shown++ == most) {
            line("",
                 fmt::format("and {} more scenes (all with --json)", slide.scenes().size() - most));
            return;
        }
        Json const j = scene_json(s, m);
        std::string text = fmt::format("{} x {} pixels at {}, {}; {} tiles", s.bounds.width,
                                       s.bounds.height, s.bounds.x, s.bounds.y, s.tiles);
        if (j.contains("name") && !j["name"].get<std::string>().empty())
            text += ", " + j["name"].get<std::string>();
        if (j.contains("well")) text += ", well " + j["well"].get<std::string>();
        line(fmt::format("scene {}", s.id), text);
    }
}

void print(slide::Slide const& slide, Content const& c) {
    czi::File const& file = slide.file();
    czi::Metadata const& m = c.metadata;
    fmt::print("{}\n", file.source().name());
    line("format", fmt::format("CZI {}.{}, {:.1f} MB", file.header().major, file.header().minor,
                               static_cast<double>(file.source().size()) / 1e6));
    slide::Rect const b = slide.bounds();
    line("extent",
         fmt::format("{} x {} pixels at {}, {}{}", b.width, b.height, b.x, b.y, size_in_um(b, m)));
    std::string dimensions;
    for (std::size_t d = 0; d < czi::dimension_count; ++d)
        if (slide.counts()[d] > 1 || slide.first()[d] != 0)
            dimensions += fmt::format("{}{} {}..{}", dimensions.empty() ? "" : ", ",
                                      czi::dimension_letters[d], slide.first()[d],
                                      slide.first()[d] + slide.counts()[d] - 1);
    line("dimensions", dimensions.empty() ? "one plane" : dimensions);
    if (m.x_um > 0)
        line("pixel", fmt::format("{:g} x {:g} um{}", m.x_um, m.y_um,
                                  m.z_um > 0 ? fmt::format(", {:g} um in Z", m.z_um) : ""));
    line("pixel type", join(count(file.entries(), pixel_type_of)));
    line("compression", join(count(file.entries(), compression_of)));
    std::string levels;
    for (slide::Level const& l : slide.levels())
        levels += fmt::format("{}1/{} ({} tiles)", levels.empty() ? "" : ", ", l.factor, l.tiles);
    line("levels", levels);
    print_channels(slide, m);
    print_scenes(slide, m);
    if (!m.acquired.empty()) line("acquired", m.acquired);
    if (!m.objective.empty()) line("objective", m.objective);
    if (!m.application.empty()) line("written by", m.application);
    if (c.times.size() > 1)
        line("time", fmt::format("{} stamps over {:g} s", c.times.size(),
                                 c.times.back() - c.times.front()));
    for (czi::Attachment const& a : c.attachments)
        line("attachment", fmt::format("{} ({}, {} bytes)", a.name, a.content_type, a.data_size));
    for (std::string const& n : c.notes) line("note", n);
}

}  // namespace

bool is_czi(std::string const& path) {
    auto const file = File::open(path);
    if (!file || file->size() < 16) return false;
    std::array<std::byte, 10> b;
    return file->read(0, b) && std::memcmp(b.data(), "ZISRAWFILE", b.size()) == 0;
}

Status slide_info(std::string const& path, bool recover, bool json) {
    SLUICE_TRY(slide::Slide const slide, slide::Slide::open(path, {recover}));
    Content const c = content_of(slide);
    if (json)
        fmt::print("{}\n", text_of(json_of(slide, c)));
    else
        print(slide, c);
    return {};
}

}  // namespace sluice::cli
