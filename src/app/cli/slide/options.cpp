// Options of slides.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/slide/options.h"

#include <fmt/format.h>

#include <charconv>
#include <limits>

#include "format/czi/fields.h"
#include "format/kinds/kinds.h"

namespace sluice::cli {
namespace {

bool parse(std::string_view text, index& out) {
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
    return error == std::errc() && end == text.data() + text.size() && !text.empty();
}

std::vector<std::string_view> split(std::string_view text) {
    std::vector<std::string_view> parts;
    while (true) {
        std::size_t const comma = text.find(',');
        parts.push_back(text.substr(0, comma));
        if (comma == std::string_view::npos) return parts;
        text.remove_prefix(comma + 1);
    }
}

Error bad_plane(std::string_view part) {
    return {Code::invalid_argument,
            fmt::format("--plane '{}' is not understood (a letter of {}, '=', and an index or two "
                        "with '..' between); as in --plane Z=0..4,T=2",
                        part, slide::dimension_letters)};
}

}  // namespace

Result<std::vector<index>> parse_numbers(std::string const& text, std::string_view what) {
    std::vector<index> out;
    for (std::string_view const part : split(text)) {
        index value = 0;
        if (!parse(part, value))
            return Error{Code::invalid_argument,
                         fmt::format("{} '{}' is not understood ('{}' is not a whole number)", what,
                                     text, part)};
        out.push_back(value);
    }
    return out;
}

void add_czi_options(Verb const& app, slide::SlideOpenOptions& options) {
    auto const& [recover, trust_directory] = czi::open_fields;
    Option const first = app.add_field(recover, options);
    app.add_field(trust_directory, options).excludes(first);
}

std::vector<std::string> czi_option_names() {
    std::vector<std::string> names;
    for (auto const& f : czi::open_fields)
        names.push_back(option_of(f, slide::SlideOpenOptions{}).name);
    return names;
}

void SlideOptions::add_opening(Verb const& app) {
    app.add_option("path", path, "the CZI file, or the folder of an OME-Zarr image")->required();
    add_czi_options(app, czi);
    app.add_flag("--mmap", map, "map the file instead of reading it");
}

void SlideOptions::add_selection(Verb const& app) {
    app.add_option("--scene", scene, "a scene's number [all together]")->check(not_negative());
    app.add_option("--channel", channel, "a channel, -1 for all [all]")
        ->check(in_range(-1, std::numeric_limits<int>::max()));
    app.add_option("--plane", plane, "other dimensions, as in Z=3 or Z=0..4,T=1 [the first]");
    app.add_option("--region", region,
                   "X,Y,WIDTH,HEIGHT in pixels of the full resolution, from the top left of the "
                   "scene or of everything [all]");
}

Result<slide::Slide> SlideOptions::open_czi(std::string_view verb) const {
    if (Look const look(path); look.is_folder() && kinds::slide.recognises(look))
        return Error{Code::unsupported,
                     fmt::format("is a Zarr folder, and {} takes CZI files; give the slide that it "
                                 "was made of, or use sluice slide read, info or view",
                                 verb),
                     path};
    return open();
}

Result<slide::Slide> SlideOptions::open() const {
    return slide::Slide::open(path, czi, map ? Access::map : Access::read);
}

Result<slide::PlaneRanges> SlideOptions::ranges(slide::Slide const& slide) const {
    slide::PlaneRanges out;
    slide::PlaneIndex const first = slide.first(), counts = slide.counts();
    for (std::size_t d = 0; d < out.size(); ++d) out[d] = {first[d], first[d]};
    out[slide::C].last = static_cast<std::int32_t>(index{first[slide::C]} - 1 + counts[slide::C]);
    if (channel && *channel >= 0) out[slide::C] = {*channel, *channel};
    if (!plane.empty()) {
        for (std::string_view const part : split(plane)) {
            std::size_t const d =
                part.size() > 2 && part[1] == '=' ? slide::dimension_letters.find(part[0]) : 99;
            if (d >= out.size()) return bad_plane(part);
            if (d == slide::C && channel)
                return Error{Code::invalid_argument,
                             fmt::format("--channel {} and --plane {} both choose channels; give "
                                         "one of them",
                                         *channel, part)};
            std::string_view const value = part.substr(2);
            std::size_t const dots = value.find("..");
            index a = 0, b = 0;
            bool good = parse(value.substr(0, dots), a);
            b = a;
            if (dots != std::string_view::npos) good = good && parse(value.substr(dots + 2), b);
            if (!good || b < a) return bad_plane(part);
            if (a < first[d] || b >= index{first[d]} + counts[d])
                return Error{Code::invalid_argument,
                             fmt::format("there is no {} (the file has {} to {})", part, first[d],
                                         index{first[d]} + counts[d] - 1)};
            out[d] = {static_cast<std::int32_t>(a), static_cast<std::int32_t>(b)};
        }
    }
    slide::IndexRange const c = out[slide::C];
    if (c.first < first[slide::C] || index{c.last} - first[slide::C] >= counts[slide::C])
        return Error{Code::invalid_argument,
                     fmt::format("there is no channel {} (the file has {} to {})", c.first,
                                 first[slide::C], index{first[slide::C]} + counts[slide::C] - 1)};
    return out;
}

Result<slide::Planes> SlideOptions::planes(slide::Slide const& slide) const {
    slide::Planes out;
    SLUICE_TRY(out.ranges, ranges(slide));
    if (scene) out.scene = *scene;
    SLUICE_TRY(out.rect, rect(slide));
    return out;
}

Result<slide::Selection> SlideOptions::region_of(slide::Slide const& slide) const {
    SLUICE_TRY(slide::Planes const chosen, planes(slide));
    return chosen.region();
}

Result<std::optional<slide::Rect>> SlideOptions::rect(slide::Slide const& slide) const {
    if (region.empty()) return std::optional<slide::Rect>{};
    SLUICE_TRY(std::vector<index> const n, parse_numbers(region, "--region"));
    if (n.size() != 4 || n[2] <= 0 || n[3] <= 0)
        return Error{
            Code::invalid_argument,
            fmt::format("--region '{}' is not understood; give X,Y,WIDTH,HEIGHT with sides "
                        "above 0",
                        region)};
    constexpr index most = index{1} << 40;
    for (index const i : n)
        if (i < -most || i > most)
            return Error{Code::invalid_argument,
                         fmt::format("--region '{}' is far outside of any slide; give "
                                     "X,Y,WIDTH,HEIGHT in pixels",
                                     region)};
    slide::Rect corner = slide.bounds();
    for (slide::Scene const& s : slide.scenes())
        if (scene && s.id == *scene) corner = s.bounds;
    if (n[0] >= corner.width || n[1] >= corner.height || n[0] + n[2] <= 0 || n[1] + n[3] <= 0)
        return Error{Code::invalid_argument,
                     fmt::format("--region '{}' lies outside of the {} ({} x {} pixels); give one "
                                 "that meets it",
                                 region, scene ? "scene" : "slide", corner.width, corner.height)};
    return std::optional(slide::Rect{corner.x + n[0], corner.y + n[1], n[2], n[3]});
}

}  // namespace sluice::cli
