// What a slide is: dimensions, scenes, channels, levels, attachments.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/slide/info.h"

#include <fmt/format.h>

#include "app/cli/shell/terminal.h"
#include "base/plural.h"
#include "sluice/slide.h"

namespace sluice::cli {
namespace {

std::string tiles(index n) {
    return plural(n, "tile");
}

void line(std::string_view name, std::string const& value) {
    say("  {:<14} {}\n", name, value);
}

std::string join(std::map<std::string, index> const& counts) {
    std::string text;
    for (auto const& [name, n] : counts)
        text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", name, n);
    return text;
}

std::string size_in_um(slide::Rect const& r, slide::Metadata const& m) {
    if (m.x_um <= 0 || m.y_um <= 0) return {};
    return fmt::format(", {:.1f} x {:.1f} um", static_cast<double>(r.width) * m.x_um,
                       static_cast<double>(r.height) * m.y_um);
}

void print_channels(slide::Slide const& slide, slide::Metadata const& m) {
    for (slide::Channel const& c : m.channels) {
        app::Json const j = app::channel_json(slide, c);
        std::string text = c.name.empty() ? "(no name)" : c.name;
        if (j.contains("pixel_type")) text += ", " + j["pixel_type"].get<std::string>();
        if (!c.color.empty()) text += ", #" + c.color;
        if (c.excitation_nm > 0)
            text += fmt::format(", {:.0f} > {:.0f} nm", c.excitation_nm, c.emission_nm);
        if (c.exposure_ms > 0) text += fmt::format(", {:g} ms", c.exposure_ms);
        line(fmt::format("channel {}", c.index), text);
    }
}

void print_scenes(slide::Slide const& slide, slide::Metadata const& m) {
    constexpr std::size_t most = 24;
    std::size_t shown = 0;
    for (slide::Scene const& s : slide.scenes()) {
        if (s.id == slide::none) continue;
        if (shown++ == most) {
            line("", fmt::format("and {} (all with --json)",
                                 plural(slide.scenes().size() - most, "more scene")));
            return;
        }
        app::Json const j = app::scene_json(s, m);
        std::string text = fmt::format("{} x {} pixels at {}, {}; {}", s.bounds.width,
                                       s.bounds.height, s.bounds.x, s.bounds.y, tiles(s.tiles));
        if (j.contains("name") && !j["name"].get<std::string>().empty())
            text += ", " + j["name"].get<std::string>();
        if (j.contains("well")) text += ", well " + j["well"].get<std::string>();
        line(fmt::format("scene {}", s.id), text);
    }
}

void print(slide::Slide const& slide, app::SlideContent const& c) {
    slide::SlideFacts const facts = slide.facts();
    slide::Metadata const& m = c.metadata;
    say("{}\n", slide.path());
    line("format", fmt::format("CZI {}.{}, {:.1f} MB", facts.version[0], facts.version[1],
                               static_cast<double>(slide.source()->size()) / 1e6));
    slide::Rect const b = slide.bounds();
    line("extent",
         fmt::format("{} x {} pixels at {}, {}{}", b.width, b.height, b.x, b.y, size_in_um(b, m)));
    std::string dimensions;
    for (std::size_t d = 0; d < slide::dimension_count; ++d)
        if (slide.counts()[d] > 1 || slide.first()[d] != 0)
            dimensions += fmt::format("{}{} {}..{}", dimensions.empty() ? "" : ", ",
                                      slide::dimension_letters[d], slide.first()[d],
                                      index{slide.first()[d]} + slide.counts()[d] - 1);
    line("dimensions", dimensions.empty() ? "one plane" : dimensions);
    if (m.x_um > 0)
        line("pixel", fmt::format("{:g} x {:g} um{}", m.x_um, m.y_um,
                                  m.z_um > 0 ? fmt::format(", {:g} um in Z", m.z_um) : ""));
    line("pixel type", join(facts.pixel_types));
    line("compression", join(facts.compressions));
    std::string levels;
    for (slide::Level const& l : slide.levels())
        levels += fmt::format("{}1/{} ({})", levels.empty() ? "" : ", ", l.factor, tiles(l.tiles));
    line("levels", levels);
    print_channels(slide, m);
    print_scenes(slide, m);
    if (!m.acquired.empty()) line("acquired", m.acquired);
    if (!m.objective.empty()) line("objective", m.objective);
    if (!m.application.empty()) line("written by", m.application);
    if (c.times.size() > 1)
        line("time", fmt::format("{} stamps over {:g} s", c.times.size(),
                                 c.times.back() - c.times.front()));
    for (slide::Attachment const& a : c.attachments)
        line("attachment",
             fmt::format("{} ({}, {})", a.name, a.content_type, plural(a.data_size, "byte")));
    for (std::string const& n : c.notes) line("note", n);
}

}  // namespace

Status slide_info(std::string const& path, slide::SlideOpenOptions const& options,
                  app::Json* json) {
    SLUICE_TRY(slide::Slide const slide, slide::Slide::open(path, options));
    app::SlideContent const c = app::content_of(slide);
    if (json)
        *json = app::json_of(slide, c);
    else
        print(slide, c);
    return {};
}

}  // namespace sluice::cli
