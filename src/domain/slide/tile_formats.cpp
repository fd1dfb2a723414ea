// Which formats have tiles.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/tile_formats.h"

#include "domain/slide/czi/tiles.h"
#include "domain/slide/ngff/folder.h"
#include "domain/slide/ngff/tiles.h"
#include "format/kinds/kinds.h"
#include "zarr/group.h"

namespace sluice::slide {
namespace {

using Opened = Result<std::unique_ptr<TileSource const>>;

struct TileFormat {
    bool (*recognises)(Look const& look);
    Opened (*open)(std::string const& path, SlideOpenOptions options, Access access);
};

Opened open_zarr(std::string const& path, SlideOpenOptions options, Access access) {
    if (options.recover || options.trust_directory || access == Access::map)
        return Error{Code::invalid_argument,
                     "--recover, --trust-directory and --mmap belong to CZI files, and this is a "
                     "Zarr folder; leave them out",
                     path};
    return open_zarr_tiles(path);
}

Opened open_czi(std::string const& path, SlideOpenOptions options, Access access) {
    SLUICE_TRY(auto source, open_source(path, access));
    return open_czi_tiles(std::move(source), options);
}

bool is_folder(Look const& look) {
    return look.is_folder();
}
// The kinds::slide that are not folders.
bool is_file(Look const& look) {
    return !look.is_folder();
}

// An array that says nothing of itself may be a scan or an image: whoever opens it here means the
// latter.
bool may_be_slide(Look const& look) {
    return kinds::slide.recognises(look) || (look.is_folder() && zarr::is_node(look.path()));
}

constexpr TileFormat formats[] = {{is_folder, open_zarr}, {is_file, open_czi}};

}  // namespace

Result<std::unique_ptr<TileSource const>> open_tiles(std::string const& path,
                                                     SlideOpenOptions options, Access access) {
    Look const look(path);
    if (!may_be_slide(look)) return no_such_kind(look, kinds::slide);
    for (TileFormat const& format : formats)
        if (format.recognises(look)) return format.open(path, options, access);
    return no_such_kind(look, kinds::slide);
}

Result<std::vector<std::string>> slides_in(std::string const& path) {
    Look const look(path);
    if (!look.is_folder() || !may_be_slide(look)) return std::vector{path};
    SLUICE_TRY(ngff::Folder const folder, ngff::open(path));
    if (folder.images.size() == 1) return std::vector{path};
    std::vector<std::string> out;
    for (ngff::Image const& image : folder.images) out.push_back(folder.path + "/" + image.path);
    return out;
}

}  // namespace sluice::slide
