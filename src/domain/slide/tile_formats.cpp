// Which formats have tiles.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/tile_formats.h"

#include "domain/slide/czi/tiles.h"
#include "domain/slide/ngff/folder.h"
#include "domain/slide/ngff/tiles.h"

namespace sluice::slide {
namespace {

using Opened = Result<std::unique_ptr<TileSource const>>;

struct TileFormat {
    bool (*recognises)(std::string const& path);
    Opened (*open)(std::string const& path, czi::OpenOptions options, Access access);
};

constexpr TileFormat formats[] = {
    {ngff::is_folder,
     [](std::string const& path, czi::OpenOptions, Access) -> Opened {
         return open_zarr_tiles(path);
     }},
    // The last one takes everything, and says what is wrong with it.
    {[](std::string const&) { return true; },
     [](std::string const& path, czi::OpenOptions options, Access access) -> Opened {
         SLUICE_TRY(auto source, open_source(path, access));
         return open_czi_tiles(std::move(source), options);
     }},
};

}  // namespace

Result<std::unique_ptr<TileSource const>> open_tiles(std::string const& path,
                                                     czi::OpenOptions options, Access access) {
    TileFormat const* format = formats;
    while (!format->recognises(path)) ++format;
    return format->open(path, options, access);
}

Result<std::vector<std::string>> slides_in(std::string const& path) {
    if (!ngff::is_folder(path)) return std::vector{path};
    SLUICE_TRY(ngff::Folder const folder, ngff::open(path));
    if (folder.images.size() == 1) return std::vector{path};
    std::vector<std::string> out;
    for (ngff::Image const& image : folder.images) out.push_back(folder.path + "/" + image.path);
    return out;
}

}  // namespace sluice::slide
