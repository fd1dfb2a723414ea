// make_czi: writes CZI files for benchmarks, of any size, with a texture like tissue.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <random>
#include <stdexcept>

#include "czi_writer/encode.h"
#include "czi_writer/grid.h"
#include "czi_writer/pixels.h"

namespace {

using namespace sluice;

constexpr char usage[] =
    "make_czi OUT.czi [--grid 6x6 | --size WxH] [--tile 1024[xH]] [--overlap 0.1]\n"
    "    [--pixel gray8|gray16|gray32float|bgr24|bgr48|bgra32|bgr96float]\n"
    "    [--compression none|jpeg|lzw|jpegxr|zstd0|zstd1] [--quality 0.8] [--pyramid]\n"
    "    [--scenes N] [--channels N] [--slices N] [--times N] [--seed N] [--threads N]\n"
    "    [--directory-first] [--shuffle]\n";

using Options = std::map<std::string, std::string>;

/// "--name value" and "--flag"; the path is under "".
Options read_options(int argc, char** argv) {
    Options options;
    for (int i = 1; i < argc; ++i) {
        std::string const word = argv[i];
        if (!word.starts_with("--"))
            options[""] = word;
        else if (word == "--pyramid" || word == "--directory-first" || word == "--shuffle" ||
                 i + 1 == argc)
            options[word.substr(2)] = "1";
        else
            options[word.substr(2)] = argv[++i];
    }
    return options;
}

struct Pair {
    index x, y;
};

/// "1024" or "1024x768".
Pair read_pair(std::string const& text) {
    std::size_t const by = text.find('x');
    index const x = std::stoll(text);
    return {x, by == std::string::npos ? x : std::stoll(text.substr(by + 1))};
}

template <class T>
T choose(std::string const& name, std::map<std::string, T> const& table) {
    auto const found = table.find(name);
    if (found == table.end()) throw std::runtime_error("no such choice: " + name);
    return found->second;
}

test::Grid grid_of(Options& o) {
    auto const get = [&](char const* name, char const* otherwise) {
        return o.try_emplace(name, otherwise).first->second;
    };
    using enum slide::PixelType;
    using enum czi::Compression;
    test::Grid grid;
    Pair const tile = read_pair(get("tile", "1024")), count = read_pair(get("grid", "6x6"));
    grid.tile_width = tile.x;
    grid.tile_height = tile.y;
    grid.overlap =
        static_cast<index>(std::stod(get("overlap", "0.1")) * static_cast<double>(tile.x));
    grid.channels = std::stoi(get("channels", "1"));
    grid.slices = std::stoi(get("slices", "1"));
    grid.times = std::stoi(get("times", "1"));
    grid.like.pixel_type =
        choose<slide::PixelType>(get("pixel", "bgr24"), {{"gray8", gray8},
                                                         {"gray16", gray16},
                                                         {"gray32float", gray32_float},
                                                         {"bgr24", bgr24},
                                                         {"bgr48", bgr48},
                                                         {"bgra32", bgra32},
                                                         {"bgr96float", bgr96_float}});
    grid.like.compression =
        choose<czi::Compression>(get("compression", "jpegxr"), {{"none", none},
                                                                {"jpeg", jpeg},
                                                                {"lzw", lzw},
                                                                {"jpegxr", jpeg_xr},
                                                                {"zstd0", zstd0},
                                                                {"zstd1", zstd1}});
    grid.like.quality = std::stod(get("quality", "0.8"));
    grid.like.paint = test::texture(static_cast<unsigned>(std::stoul(get("seed", "1"))));
    grid.area = test::area_of(grid, count.x, count.y);
    if (o.count("size") > 0) {
        Pair const size = read_pair(o["size"]);
        grid.area = {0, 0, size.x, size.y};
    }
    return grid;
}

void describe(test::CziFile& file, test::Grid const& grid, int scenes) {
    constexpr char const* colours[] = {"00FF00", "FF0000", "0000FF", "FF00FF", "FFFF00", "00FFFF"};
    file.metadata.x_um = file.metadata.y_um = 0.22;
    if (grid.slices > 1) file.metadata.z_um = 1;
    if (grid.times > 1) file.metadata.t_s = 10;
    file.metadata.objective = "Plan-Apochromat 20x/0.8";
    file.metadata.application = "make_czi";
    for (int c = 0; c < grid.channels; ++c) {
        slide::Channel channel;
        channel.id = "Channel:" + std::to_string(c);
        channel.name = "C" + std::to_string(c + 1);
        if (test::kind_of(grid.like.pixel_type).samples == 1) channel.color = colours[c % 6];
        file.metadata.channels.push_back(channel);
    }
    for (int s = 0; scenes > 1 && s < scenes; ++s) {
        slide::SceneInfo scene;
        scene.index = s;
        scene.name = "Scene" + std::to_string(s + 1);
        file.metadata.scenes.push_back(scene);
    }
}

test::CziFile make(Options& o) {
    test::Grid grid = grid_of(o);
    int const scenes = o.count("scenes") > 0 ? std::stoi(o["scenes"]) : 1;
    test::CziFile file;
    describe(file, grid, scenes);
    file.habits.directory_first = o.count("directory-first") > 0;
    for (int s = 0; s < scenes; ++s) {
        if (scenes > 1) grid.like.scene = s;
        for (test::Tile& tile : test::mosaic(grid)) file.tiles.push_back(std::move(tile));
        if (o.count("pyramid") > 0)
            for (test::Tile& tile : test::pyramid(grid)) file.tiles.push_back(std::move(tile));
        // Slides lie beside each other in the holder of the microscope.
        grid.area.x += grid.area.width + grid.tile_width / 2;
        grid.area.y += grid.tile_height / 4;
    }
    if (o.count("shuffle") > 0) std::shuffle(file.tiles.begin(), file.tiles.end(), std::mt19937(1));
    return file;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        Options options = read_options(argc, argv);
        if (options[""].empty()) {
            std::fputs(usage, stderr);
            return 2;
        }
        test::CziFile const file = make(options);
        file.save(options[""], options.count("threads") > 0 ? std::stoi(options["threads"]) : 2);
        std::printf("%s: %zu tiles\n", options[""].c_str(), file.tiles.size());
    } catch (std::exception const& e) {
        std::fprintf(stderr, "make_czi: %s\n%s", e.what(), usage);
        return 1;
    }
}
