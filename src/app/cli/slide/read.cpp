// `sluice slide read`: a region of a slide, raw tiles, or an attachment, as a file.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>

#include "app/cli/shell/outputs.h"
#include "app/cli/shell/terminal.h"
#include "app/cli/slide/command.h"
#include "app/cli/slide/options.h"
#include "base/file.h"

namespace sluice::cli {
namespace {

struct Command {
    SlideOptions slide;
    std::string out, attachment;
    std::optional<int> level;
    std::optional<double> zoom, fill_bad;
    std::vector<int> tiles;
    bool all_tiles = false, reduced = false, json = false;
    index max_tiles = 0;
    double background = 0;
};

// What is saved: planes of one shape, one after the other.
struct Stack {
    std::string axes;  ///< of the planes, e.g. "TC"
    std::vector<index> extents;
    slide::Shape shape;
    slide::Buffer pixels;
    index planes = 1, planes_without = 0;  ///< those without a tile in the region
};

// So many planes of which hardly one has a tile are no stack, but the mark of a wrong index.
constexpr index many_planes = 4096, least_share = 64;

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
        s.shape.sample == czi::Sample::u8 && (s.shape.samples == 1 || s.shape.samples == 3);
    std::size_t const planes = s.pixels.size() / std::max<std::size_t>(s.shape.bytes(), 1);
    if (!eight)
        return Error{Code::invalid_argument,
                     fmt::format("a PNG is written of 8 bits, gray or colour (a pixel here is {} "
                                 "x {}); write .tiff or .npy",
                                 s.shape.samples, czi::name_of(s.shape.sample)),
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
    e.dtype = czi::name_of(s.shape.sample);
    e.bytes = s.pixels.span();
    e.shape = s.extents;
    e.shape.insert(e.shape.end(), {s.shape.height, s.shape.width});
    if (ends(path, ".npy")) {
        if (s.shape.samples > 1) e.shape.push_back(s.shape.samples);
        return save_npy(path, e);
    }
    if (ends(path, ".png")) return save_picture(path, s, provenance);
    e.shape.push_back(s.shape.samples);
    return save_tiff(path, e, provenance);
}

// An image of nothing but background is no answer.
Error nothing_there(Command const& c, slide::Slide const& slide, slide::Region const& region,
                    index planes) {
    auto const name = [&](slide::Position const& at) {
        std::string text;
        for (std::size_t d = 0; d < at.size(); ++d)
            if (d < 3 || slide.counts()[d] > 1)
                text += fmt::format(" {} {}", czi::dimension_letters[d], at[d]);
        return text;
    };
    std::string what = planes > 1 ? fmt::format("{} planes", planes) : "plane" + name(region.plane);
    if (region.scene) what += fmt::format(", scene {}", *region.scene);
    if (!c.slide.region.empty()) what += ", region " + c.slide.region;
    auto const& tiles = slide.tiles();
    auto const other = std::find_if(tiles.begin(), tiles.end(), [&](slide::Tile const& t) {
        return t.level == c.level.value_or(0) && (!region.scene || t.scene == *region.scene);
    });
    if (other != tiles.end())
        what +=
            fmt::format("; the first tile is at {},{} in plane{}", other->rect.x - slide.bounds().x,
                        other->rect.y - slide.bounds().y, name(other->at));
    return {Code::not_found,
            fmt::format("there is no tile in what is asked for ({}); choose what has tiles, see "
                        "sluice info",
                        what),
            c.slide.path};
}

Result<Stack> read_planes(Command const& c, slide::Slide const& slide,
                          slide::ReadOptions const& options) {
    SLUICE_TRY(auto const ranges, c.slide.planes(slide));
    SLUICE_TRY(slide::Region region, c.slide.region_of(slide));
    Stack s;
    index planes = 1;
    // The order of OME-TIFF and OME-Zarr, with what they do not have in front.
    std::vector<czi::Dimension> const order = {czi::B, czi::V, czi::H, czi::I,
                                               czi::R, czi::T, czi::C, czi::Z};
    for (czi::Dimension const d : order) {
        index const n = index{ranges[d].last} - ranges[d].first + 1;
        planes = std::min(planes, std::numeric_limits<index>::max() / n) * n;
        if (n == 1) continue;
        s.axes += czi::dimension_letters[d];
        s.extents.push_back(n);
    }
    if (c.zoom) {
        SLUICE_TRY(s.shape, slide.shape_at(region, *c.zoom));
    } else {
        SLUICE_TRY(s.shape, slide.shape(region, c.level.value_or(0)));
    }
    std::size_t const bytes = s.shape.bytes();
    s.planes = planes;
    if (planes > many_planes && planes / least_share > std::ssize(slide.tiles()))
        return Error{Code::invalid_argument,
                     fmt::format("{} planes are asked for (the file has {} tiles); choose those "
                                 "that have some with --plane, see sluice info",
                                 planes, slide.tiles().size())};
    for (index p = 0; p < planes; ++p) {
        index rest = p;
        for (auto d = order.rbegin(); d != order.rend(); ++d) {
            index const n = index{ranges[*d].last} - ranges[*d].first + 1;
            region.plane[*d] = ranges[*d].first + static_cast<std::int32_t>(rest % n);
            rest /= n;
        }
        index const hit = options.stats->tiles_hit;
        SLUICE_TRY(slide::Image image, c.zoom ? slide.read_at(region, *c.zoom, options)
                                              : slide.read(region, c.level.value_or(0), options));
        s.planes_without += options.stats->tiles_hit == hit;
        if (p == 0) {
            s.shape = image.shape;
            if (planes == 1) {
                s.pixels = std::move(image.pixels);
                break;
            }
            std::size_t sum = 0;
            if (__builtin_mul_overflow(static_cast<std::size_t>(planes), bytes, &sum))
                sum = SIZE_MAX;
            SLUICE_TRY(s.pixels, slide::Buffer::allocate(sum));
        }
        if (image.shape.samples != s.shape.samples || image.shape.sample != s.shape.sample)
            return Error{Code::unsupported,
                         fmt::format("the channels have different pixel types (channel {} has {} x "
                                     "{}); read them one by one with --channel",
                                     region.plane[czi::C], image.shape.samples,
                                     czi::name_of(image.shape.sample))};
        std::memcpy(s.pixels.data() + static_cast<std::size_t>(p) * bytes, image.pixels.data(),
                    bytes);
    }
    if (options.stats->pixels_background == options.stats->pixels_region)
        return nothing_there(c, slide, region, planes);
    return s;
}

Result<Stack> read_tiles(Command const& c, slide::Slide const& slide,
                         slide::ReadOptions const& options) {
    std::vector<std::int32_t> tiles(c.tiles.begin(), c.tiles.end());
    if (c.all_tiles) {
        if (c.slide.region.empty()) SLUICE_CHECK(slide.compare_all());
        SLUICE_TRY(slide::Region const region, c.slide.region_of(slide));
        slide::Rect all = slide.bounds();
        if (region.rect) all = *region.rect;
        for (std::int32_t const t : slide.find(region.plane, c.level.value_or(0), all))
            if (!region.scene || slide.tiles()[static_cast<std::size_t>(t)].scene == *region.scene)
                tiles.push_back(t);
    }
    if (c.max_tiles > 0 && std::ssize(tiles) > c.max_tiles)
        tiles.resize(static_cast<std::size_t>(c.max_tiles));
    if (tiles.empty()) return Error{Code::not_found, "there are no tiles here"};
    Stack s;
    SLUICE_TRY(s.shape, slide.tile_shape(tiles[0]));
    s.axes = "N";
    s.extents = {std::ssize(tiles)};
    std::size_t const bytes = s.shape.bytes();
    for (std::int32_t const t : tiles) {
        SLUICE_TRY(slide::Shape const shape, slide.tile_shape(t));
        if (shape.height != s.shape.height || shape.width != s.shape.width ||
            shape.samples != s.shape.samples || shape.sample != s.shape.sample)
            return Error{
                Code::invalid_argument,
                fmt::format("tiles {} and {} differ ({} x {} x {} of {} and {} x {} x {} of {}); "
                            "read them one by one with --tile",
                            tiles[0], t, s.shape.height, s.shape.width, s.shape.samples,
                            czi::name_of(s.shape.sample), shape.height, shape.width, shape.samples,
                            czi::name_of(shape.sample))};
    }
    std::size_t sum = 0;
    if (__builtin_mul_overflow(bytes, tiles.size(), &sum)) sum = SIZE_MAX;
    SLUICE_TRY(s.pixels, slide::Buffer::allocate(sum));
    std::vector<std::span<std::byte>> out;
    for (std::size_t i = 0; i < tiles.size(); ++i)
        out.push_back(s.pixels.span().subspan(i * bytes, bytes));
    SLUICE_CHECK(slide.read_tiles(tiles, options, out));
    return s;
}

Status save_attachment(Command const& c, slide::Slide const& slide) {
    if (slide.format() != "czi")
        return Error{Code::invalid_argument,
                     "--attachment (attachments are of CZI files); leave it out", c.slide.path};
    SLUICE_TRY(auto const all, slide.file().attachments());
    std::string names;
    std::size_t const same = static_cast<std::size_t>(std::count_if(
        all.begin(), all.end(), [&](czi::Attachment const& a) { return a.name == c.attachment; }));
    if (same > 1)
        return Error{Code::invalid_argument,
                     fmt::format("{} attachments are called '{}'; add a number from 0, as in "
                                 "--attachment {}:1",
                                 same, c.attachment, c.attachment),
                     c.slide.path};
    std::map<std::string, index> seen;
    for (czi::Attachment const& a : all) {
        std::string const numbered = fmt::format("{}:{}", a.name, seen[a.name]++);
        names += (names.empty() ? "" : ", ") + (seen[a.name] > 1 ? numbered : a.name);
        if (a.name != c.attachment && numbered != c.attachment) continue;
        SLUICE_TRY(auto const bytes, slide.file().read(a));
        SLUICE_TRY(NewFile file, NewFile::create(c.out));
        SLUICE_CHECK(file.write(bytes));
        SLUICE_CHECK(file.commit());
        fmt::print("{}: {} bytes of {}\n", c.out, bytes.size(), a.content_type);
        return {};
    }
    return Error{Code::not_found,
                 fmt::format("there is no attachment '{}' (there {})", c.attachment,
                             names.empty() ? "are none" : "are " + names),
                 c.slide.path};
}

Json report_of(Command const& c, Stack const& s, slide::Stats const& stats,
               std::vector<slide::BadTile> const& bad, double seconds) {
    Json j;
    j["out"] = c.out;
    std::vector<index> shape = s.extents;
    shape.insert(shape.end(), {s.shape.height, s.shape.width});
    if (s.shape.samples > 1) shape.push_back(s.shape.samples);
    j["axes"] = s.axes + (s.shape.samples > 1 ? "YXS" : "YX");
    j["shape"] = shape;
    j["dtype"] = czi::name_of(s.shape.sample);
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
    j["background"] = c.background;
    j["planes_without_tiles"] = s.planes_without;
    j["bytes_read"] = stats.bytes_read;
    return j;
}

// "3, 8, 15", at most 50 of them: a description is no list.
std::string names_of(std::vector<slide::BadTile> const& bad) {
    constexpr std::size_t most_named = 50;
    std::string out;
    for (std::size_t i = 0; i < std::min(most_named, bad.size()); ++i)
        out += fmt::format("{}{}", i == 0 ? "" : ", ", bad[i].tile);
    return bad.size() > most_named ? out + ", ..." : out;
}

// What of the result is no pixel of the file.
std::vector<std::string> remarks(Command const& c, Stack const& s, slide::Stats const& stats,
                                 std::vector<slide::BadTile> const& bad) {
    std::vector<std::string> out;
    if (stats.pixels_background > 0)
        out.push_back(fmt::format(
            "{} of {} pixels are under no tile and have the background value {:g}{}",
            stats.pixels_background, stats.pixels_region, c.background,
            s.planes_without > 0
                ? fmt::format(" ({} of {} planes have no tile here)", s.planes_without, s.planes)
                : ""));
    if (stats.tiles_rounded > 0)
        out.push_back(
            fmt::format("{} tiles of the pyramid lack their last row or column; the one "
                        "before is repeated",
                        stats.tiles_rounded));
    if (!bad.empty())
        out.push_back(fmt::format("{} damaged {} filled with {:g}: {}", bad.size(),
                                  bad.size() == 1 ? "tile is" : "tiles are", *c.fill_bad,
                                  names_of(bad)));
    return out;
}

Status run(Command const& c) {
    if (c.attachment.empty() && !ends(c.out, ".npy") && !ends(c.out, ".tiff") &&
        !ends(c.out, ".tif") && !ends(c.out, ".png"))
        return bad_name(c.out);
    SLUICE_TRY(slide::Slide const slide, c.slide.open());
    for (std::string const& note : slide.notes()) fmt::print(stderr, "sluice: {}\n", note);
    if (!c.attachment.empty()) return save_attachment(c, slide);
    ProgressBar progress("reading tiles");
    slide::Stats stats;
    std::vector<slide::BadTile> bad;
    slide::ReadOptions options;
    options.threads = c.slide.threads;
    options.background = c.background;
    options.fill_bad = c.fill_bad;
    options.reduced = c.reduced;
    options.stats = &stats;
    options.bad = &bad;
    options.progress = progress.callback();
    double const start = now();
    bool const tiles = c.all_tiles || !c.tiles.empty();
    SLUICE_TRY(Stack const s,
               tiles ? read_tiles(c, slide, options) : read_planes(c, slide, options));
    double const seconds = now() - start;
    Provenance provenance = provenance_of({c.slide.path});
    provenance.add("axes", s.axes + "YX");
    for (std::string const& text : remarks(c, s, stats, bad)) {
        fmt::print(stderr, "sluice: {}\n", text);
        provenance.add("note", text);
    }
    SLUICE_CHECK(save(c.out, s, provenance));
    for (slide::BadTile const& b : bad) fmt::print(stderr, "sluice: {}\n", b.error.text());
    Json const j = report_of(c, s, stats, bad, seconds);
    if (c.json) {
        fmt::print("{}\n", text_of(j));
        return {};
    }
    double const samples = static_cast<double>(s.pixels.size()) / czi::size_of(s.shape.sample);
    fmt::print("{}: {} {} of {}, {} {} in {:.3f} s ({:.0f} million samples a second)\n", c.out,
               j["axes"].get<std::string>(), j["shape"].dump(), czi::name_of(s.shape.sample),
               stats.tiles_decoded, stats.tiles_decoded == 1 ? "tile" : "tiles", seconds,
               samples / 1e6 / seconds);
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
    app->add_flag("--reduced", c->reduced,
                  "with --zoom, where there is no pyramid: decode JPEG XR at 1/4 or 1/16 only; "
                  "much faster, low-pass values instead of means");
    auto const tile = app->add_option("--tile", c->tiles, "raw tiles by their number in the file");
    // A number names one tile of the whole file.
    for (char const* name : {"--scene", "--channel", "--plane", "--region", "--level", "--zoom"})
        tile->excludes(app->get_option(name));
    app->add_flag("--tiles", c->all_tiles, "all raw tiles of the plane and level, stacked")
        ->excludes(tile)
        ->excludes(zoom);
    app->add_option("--max-tiles", c->max_tiles, "at most so many of them")->check(not_negative());
    app->add_option("--attachment", c->attachment, "save an attachment, e.g. Label or Thumbnail");
    app->add_option("--background", c->background, "where there is no tile [0]");
    app->add_option("--fill-bad", c->fill_bad,
                    "fill damaged tiles with this, name them, and go on [stop at the first]");
    app->add_option("--out", c->out, "file.npy, file.tiff or file.png")->required();
    app->add_flag("--json", c->json, "print JSON");
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
