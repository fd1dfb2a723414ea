// `sluice slide check`: the rules of the format that a file breaks.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "app/cli/shell/common_options.h"
#include "app/cli/shell/outputs.h"
#include "app/cli/shell/terminal.h"
#include "app/cli/slide/command.h"
#include "app/cli/slide/options.h"
#include "base/plural.h"
#include "base/run.h"

namespace sluice::cli {
namespace {

struct Command {
    SlideOptions slide;
    bool pixels = false;
    CommonOptions common;
};

// Decodes every tile; what fails is a violation too.
Status decode_all(slide::Slide const& slide, int threads, std::vector<slide::Violation>& out) {
    ProgressBar progress("decoding tiles");
    auto const all = static_cast<std::int32_t>(slide.tiles().size());
    // Enough for all threads.
    constexpr std::int32_t at_once = 64;
    for (std::int32_t begin = 0; begin < all;) {
        std::vector<std::int32_t> tiles;
        for (; begin < all && tiles.size() < at_once; ++begin) {
            if (auto const shape = slide.tile_shape(begin))
                tiles.push_back(begin);
            else
                out.push_back({"pixels", shape.error().message, shape.error().at.value_or(0)});
        }
        std::vector<slide::BadTile> bad;
        slide::ReadOptions options;
        options.threads = threads;
        options.fill_bad = 0;
        options.bad = &bad;
        SLUICE_CHECK(slide.try_tiles(tiles, options));
        // What to do about it is an option of reading and converting.
        for (slide::BadTile const& b : bad)
            out.push_back({"pixels",
                           b.error.message.substr(0, b.error.message.find("; --fill-bad")),
                           b.error.at.value_or(0)});
        if (!progress(static_cast<std::uint64_t>(begin), static_cast<std::uint64_t>(all)))
            return cancelled();
    }
    return {};
}

Status run(Command c, int& exit_code) {
    // What the directory and the tiles say differently is found one by one.
    c.slide.czi.trust_directory = !c.slide.czi.recover;
    SLUICE_TRY(slide::Slide const slide, c.slide.open_czi("slide check"));
    SLUICE_TRY(auto violations, slide.check());
    if (c.pixels) SLUICE_CHECK(decode_all(slide, c.common.threads, violations));
    auto const broken = std::count_if(violations.begin(), violations.end(),
                                      [](slide::Violation const& v) { return !v.note; });
    if (broken > 0) exit_code = 1;
    if (c.common.json) {
        Json list = Json::array();
        for (slide::Violation const& v : violations)
            list.push_back(
                {{"rule", v.rule}, {"message", v.message}, {"at", v.at}, {"note", v.note}});
        Json j;
        j["path"] = c.slide.path;
        j["violations"] = list;
        j["notes"] = slide.notes();
        say("{}\n", text_of(j));
        return {};
    }
    // A damaged file breaks the same rule at every tile: the first ones tell enough.
    constexpr index most = 10;
    std::map<std::string, index> seen;
    for (slide::Violation const& v : violations) {
        index const n = ++seen[v.rule];
        if (n <= most)
            say("{}{} at byte {}: {}\n", v.note ? "note: " : "", v.rule, v.at, v.message);
    }
    for (auto const& [rule, n] : seen)
        if (n > most) say("{}: {} more (all with --json)\n", rule, n - most);
    for (std::string const& note : slide.notes()) say("note: {}\n", note);
    if (broken == 0)
        say("{}: {}{}, no rule is broken\n", c.slide.path, plural(slide.tiles().size(), "tile"),
            c.pixels ? ", all decoded" : "");
    return {};
}

}  // namespace

void add_slide_check(Verb const& parent, int& exit_code) {
    Verb const app = parent.add_subcommand("check", "which rules of the format a file breaks");
    auto const c = std::make_shared<Command>();
    c->slide.add_opening(*app);
    app->add_flag("--pixels", c->pixels, "decode every tile, too");
    c->common.add(*app, {.threads = applies("with --pixels; 0: one per processor"),
                         .json = applies(),
                         .trace = refused("notes no steps; `sluice slide profile` does")});
    app->get_option("--threads").needs("--pixels");
    app->footer(
        "The exit code is 1 where a rule is broken.\n\n"
        "Examples:\n"
        "  sluice slide check x.czi\n"
        "  sluice slide check x.czi --pixels --json");
    app->callback([c, &exit_code] {
        if (auto s = run(*c, exit_code); !s) exit_code = report(s.error());
    });
}

}  // namespace sluice::cli
