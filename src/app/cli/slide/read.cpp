// `sluice slide read`: a region of a slide, raw tiles, or an attachment, as a file.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "app/cli/shell/common_options.h"
#include "app/cli/shell/outputs.h"
#include "app/cli/shell/terminal.h"
#include "app/cli/slide/command.h"
#include "app/cli/slide/options.h"
#include "base/file.h"
#include "base/plural.h"
#include "domain/slide/fields.h"
#include "sluice/slide_stack.h"

namespace sluice::cli {
namespace {

using slide::Stack;

struct Command {
    SlideOptions slide;
    std::string out, attachment;
    std::optional<int> level;
    std::optional<double> zoom;
    std::vector<int> tiles;
    bool all_tiles = false;
    index max_tiles = 0;
    slide::ReadOptions options;
    CommonOptions common;
};

bool ends(std::string const& path, std::string_view suffix) {
    return path.ends_with(suffix);
}

Error bad_name(std::string const& out) {
    return {Code::invalid_argument,
            fmt::format("--out '{}' has no ending that says what to write; end it in .npy, .tiff "
                        "or .png",
                        out)};
}

Status save_picture(std::string const& path, Stack const& s, Provenance const& provenance) {
    bool const eight =
        s.shape.sample == DType::u8 && (s.shape.samples == 1 || s.shape.samples == 3);
    std::size_t const planes = s.pixels.size() / std::max<std::size_t>(s.shape.bytes(), 1);
    if (!eight)
        return Error{Code::invalid_argument,
                     fmt::format("a PNG is written of 8 bits, gray or colour (a pixel here is {} "
                                 "x {}); write .tiff or .npy",
                                 s.shape.samples, name_of(s.shape.sample)),
                     path};
    if (planes != 1)
        return Error{Code::invalid_argument,
                     fmt::format("a PNG is one plane (these are {}, along {}); choose one of each, "
                                 "or write .tiff or .npy",
                                 planes, s.axes),
                     path};
    Picture p;
    p.rows = s.shape.height;
    p.cols = s.shape.width;
    p.rgb.resize(static_cast<std::size_t>(p.rows * p.cols * 3));
    for (std::size_t i = 0; i < p.rgb.size(); ++i)
        p.rgb[i] = static_cast<std::uint8_t>(s.pixels.data()[s.shape.samples == 3 ? i : i / 3]);
    return save_png(path, p, provenance);
}

Status save(std::string const& path, Stack const& s, Provenance const& provenance) {
    Elements e;
    e.dtype = s.shape.sample;
    e.bytes = s.pixels.span();
    e.shape = s.full_shape();
    if (ends(path, ".npy")) return save_npy(path, e);
    if (ends(path, ".png")) return save_picture(path, s, provenance);
    if (s.shape.samples == 1) e.shape.push_back(1);
    return save_tiff(path, e, provenance);
}

Json report_of(Command const& c, Stack const& s, slide::Stats const& stats,
               std::vector<slide::BadTile> const& bad, double seconds) {
    Json j;
    j["out"] = c.out;
    j["axes"] = s.axes + (s.shape.samples > 1 ? "YXS" : "YX");
    j["shape"] = s.full_shape();
    j["dtype"] = name_of(s.shape.sample);
    j["seconds"] = seconds;
    j["tiles_decoded"] = stats.tiles_decoded;
    j["tiles_hidden"] = stats.tiles_hidden;
    j["tiles_bad"] = stats.tiles_bad;
    j["tiles_filled"] = Json::array();
    for (slide::BadTile const& b : bad)
        j["tiles_filled"].push_back(
            {{"tile", b.tile},
             {"reason", b.error.message.substr(0, b.error.message.find("; --fill-bad"))}});
    j["tiles_rounded"] = stats.tiles_rounded;
    j["region_pixels"] = stats.pixels_region;
    j["background_pixels"] = stats.pixels_background;
    j["background"] = c.options.background;
    j["planes_without_tiles"] = s.planes_without;
    j["bytes_read"] = stats.bytes_read;
    return j;
}

Status save_attachment(Command const& c, slide::Slide const& slide) {
    SLUICE_TRY(slide::Attachment const a, attachment_named(slide, c.attachment));
    SLUICE_TRY(auto const bytes, slide.read(a));
    SLUICE_TRY(NewFile file, NewFile::create(c.out));
    SLUICE_CHECK(file.write(bytes));
    SLUICE_CHECK(file.commit());
    if (c.common.json)
        say("{}\n", text_of({{"out", c.out},
                             {"attachment", c.attachment},
                             {"bytes", bytes.size()},
                             {"content_type", a.content_type}}));
    else
        say("{}: {} bytes of {}\n", c.out, bytes.size(), a.content_type);
    return {};
}

Result<Stack> read_stack(Command const& c, slide::Slide const& slide,
                         slide::ReadOptions const& options) {
    slide::Planes planes;
    if (!c.all_tiles && c.tiles.empty()) {
        SLUICE_TRY(planes, c.slide.planes(slide));
        planes.level = c.level.value_or(0);
        planes.zoom = c.zoom;
        return read_planes(slide, planes, options);
    }
    std::vector<std::int32_t> tiles(c.tiles.begin(), c.tiles.end());
    if (c.all_tiles) {
        SLUICE_TRY(planes, c.slide.planes(slide));
        SLUICE_TRY(tiles, tiles_in(slide, planes.region(), c.level.value_or(0)));
    }
    if (c.max_tiles > 0 && std::ssize(tiles) > c.max_tiles)
        tiles.resize(static_cast<std::size_t>(c.max_tiles));
    return read_tile_stack(slide, tiles, options);
}

Status run(Command const& c) {
    if (c.attachment.empty() && !ends(c.out, ".npy") && !ends(c.out, ".tiff") &&
        !ends(c.out, ".tif") && !ends(c.out, ".png"))
        return bad_name(c.out);
    SLUICE_TRY(slide::Slide const slide, c.slide.open());
    for (std::string const& note : slide.notes()) say(stderr, "sluice: {}\n", note);
    if (!c.attachment.empty()) return save_attachment(c, slide);
    ProgressBar progress("reading tiles");
    slide::Stats stats;
    std::vector<slide::BadTile> bad;
    slide::ReadOptions options = c.options;
    options.threads = c.common.threads;
    options.stats = &stats;
    options.bad = &bad;
    options.progress = progress.callback();
    double const start = now();
    SLUICE_TRY(Stack const s, read_stack(c, slide, options));
    double const seconds = now() - start;
    Provenance provenance = provenance_of({c.slide.path});
    provenance.add("axes", s.axes + "YX");
    for (std::string const& text : remarks(s, stats, bad, options)) {
        say(stderr, "sluice: {}\n", text);
        provenance.add("note", text);
    }
    SLUICE_CHECK(save(c.out, s, provenance));
    for (slide::BadTile const& b : bad) say(stderr, "sluice: {}\n", b.error.text());
    Json const j = report_of(c, s, stats, bad, seconds);
    if (c.common.json) {
        say("{}\n", text_of(j));
        return {};
    }
    double const samples =
        static_cast<double>(s.pixels.size()) / static_cast<double>(size_of(s.shape.sample));
    say("{}: {} {} of {}, {} in {:.3f} s ({:.0f} million samples a second)\n", c.out,
        j["axes"].get<std::string>(), j["shape"].dump(), name_of(s.shape.sample),
        plural(stats.tiles_decoded, "tile"), seconds, samples / 1e6 / seconds);
    return {};
}

}  // namespace

void add_slide_read(Verb const& parent, int& exit_code) {
    Verb const app = parent.add_subcommand("read", "a region, raw tiles or an attachment");
    auto const c = std::make_shared<Command>();
    c->slide.add_opening(*app);
    c->slide.add_selection(*app);
    auto const level = app->add_option("--level", c->level, "a level of the pyramid [0]");
    auto const zoom =
        app->add_option("--zoom", c->zoom, "above 0, up to 1: the mean of what each pixel covers")
            ->excludes(level);
    auto const tile = app->add_option("--tile", c->tiles, "raw tiles by their number in the file");
    // A number names one tile of the whole file.
    for (char const* name : {"--scene", "--channel", "--plane", "--region", "--level", "--zoom"})
        tile->excludes(app->get_option(name));
    app->add_flag("--tiles", c->all_tiles, "all raw tiles of the plane and level, stacked")
        ->excludes(tile)
        ->excludes(zoom);
    app->add_option("--max-tiles", c->max_tiles, "at most so many of them")->check(not_negative());
    app->add_option("--attachment", c->attachment, "save an attachment, e.g. Label or Thumbnail");
    app->add_fields(slide::read_fields(), c->options);
    app->add_option("--out", c->out, "file.npy, file.tiff or file.png")->required();
    c->common.add(*app, {.threads = applies(),
                         .json = applies(),
                         .memory_limit = refused("holds the region that it writes; take a smaller "
                                                 "--region or --zoom"),
                         .trace = refused("notes no steps; `sluice slide profile` does")});
    app->footer(
        "Pixels come out as [planes][row][column][R, G, B]. Higher M is drawn over lower.\n\n"
        "Examples:\n"
        "  sluice slide read x.czi --out whole.npy\n"
        "  sluice slide read x.czi --scene 0 --channel 1 --region 2000,1000,512,512 --out a.tiff\n"
        "  sluice slide read x.czi --zoom 0.05 --reduced --out overview.png\n"
        "  sluice slide read x.czi --plane Z=0..9,T=2 --level 1 --out stack.npy\n"
        "  sluice slide read x.czi --tiles --max-tiles 50 --out tiles.npy\n"
        "  sluice slide read x.czi --attachment Label --out label.czi");
    app->callback([c, &exit_code] {
        if (auto s = run(*c); !s) exit_code = report(s.error());
    });
}

}  // namespace sluice::cli
