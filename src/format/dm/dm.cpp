// From a DM3 or DM4 file to a dataset.
// SPDX-License-Identifier: Apache-2.0
#include "format/dm/dm.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/bytes.h"
#include "format/dm/image.h"
#include "format/raw/flat_scan.h"
#include "format/raw/ordered_source.h"

namespace sluice::dm {
namespace {

std::string list_of(std::vector<Image> const& images) {
    std::vector<std::string> names;
    for (Image const& i : images)
        names.push_back(fmt::format("{} ({})", i.number(), fmt::join(i.shape, "x")));
    return fmt::format("{}", fmt::join(names, ", "));
}

// The one of most dimensions, and of these the largest; whoever asks for one gets that.
Result<Image> choose(std::vector<Image> images, DmOptions const& options,
                     std::vector<std::string> const& left_out, std::vector<std::string>& notes) {
    if (images.empty())
        return Error{
            Code::unsupported,
            left_out.empty()
                ? "holds no image; name another file"
                : fmt::format("holds nothing of 2 to 4 dimensions of whole or real numbers "
                              "({}); name another file",
                              fmt::join(left_out, ", "))};
    auto chosen = std::ranges::max_element(
        images, {}, [](Image const& i) { return std::pair(i.shape.size(), i.values()); });
    if (options.dm_image != 0)
        chosen = std::ranges::find(images, fmt::format("ImageList.{}", options.dm_image - 1),
                                   &Image::path);
    if (chosen == images.end())
        return Error{Code::invalid_argument,
                     fmt::format("there is no image {}; those that can be opened are {}",
                                 options.dm_image, list_of(images))};
    if (images.size() > 1)
        notes.push_back(fmt::format("image {} of {}; --dm-image opens another", chosen->number(),
                                    list_of(images)));
    return *chosen;
}

Result<Dataset> open_frames(File file, Image const& image, Axes const& axes,
                            OpenOptions const& options) {
    FlatScan s{
        .format = "dm", .rows = image.shape[axes.axes.row], .cols = image.shape[axes.axes.col]};
    SLUICE_CHECK(check_frame(s.rows, s.cols));
    s.layout.stored = image.stored, s.layout.offset = image.at;
    s.announced = image.values() / (s.rows * s.cols);
    if (axes.axes.scan.size() == 2)
        s.scan = ScanGrid{image.shape[axes.axes.scan[0]], image.shape[axes.axes.scan[1]]};
    s.scan_from = "dimensions in the tags";
    if (axes.axes == boxes::usual_axes(image.shape.size()))
        return open_flat(std::move(file), std::move(s), options);
    // The shape is decided as of any other file; the frames are cut out of the whole array.
    auto const shared = std::make_shared<File const>(std::move(file));
    SLUICE_TRY(File again, File::open(shared->path()));
    SLUICE_TRY(auto source,
               ordered_source(std::move(again), {image.shape, axes.axes, image.stored, image.at}));
    s.layout.pixels = s.rows * s.cols;
    SLUICE_TRY(Dataset d, open_pieces({{shared, image.at, s.announced}}, s, options));
    d.source = std::move(source);
    return d;
}

Result<Dataset> open_tree(std::string const& path, OpenOptions const& options) {
    SLUICE_TRY(auto const bytes, open_source(path));
    SLUICE_TRY(Tree const tree, Tree::read(bytes));
    std::vector<std::string> left_out, notes;
    SLUICE_TRY(auto images, find_images(tree, left_out));
    SLUICE_TRY(Image image,
               choose(std::move(images), options.format.of<DmOptions>(), left_out, notes));
    Axes axes = axes_of(image);
    if (!options.axis_order.empty()) {
        SLUICE_TRY(axes.axes, boxes::parse_axes(options.axis_order, image.shape.size()));
        axes.from = "the user";
    }
    SLUICE_TRY(File file, File::open(path));
    SLUICE_TRY(Dataset d, open_frames(std::move(file), image, axes, options));
    d.path = path;
    d.notes.insert(d.notes.end(), notes.begin(), notes.end());
    if (image.shape.size() == 4)
        d.notes.push_back(fmt::format("the axes are read as {} (from: {})",
                                      boxes::axes_text(axes.axes), axes.from));
    describe(tree, image, axes.axes, d);
    return d;
}

}  // namespace

bool recognises(std::string_view, Bytes head) {
    if (head.size() < 16) return false;
    auto const version = load_be<std::uint32_t>(head.data());
    auto const order = load_be<std::uint32_t>(head.data() + (version == 4 ? 12 : 8));
    return (version == 3 || version == 4) && order <= 1;
}

Result<Dataset> open(std::string const& path, OpenOptions const& options) {
    auto d = open_tree(path, options);
    if (!d && d.error().file.empty()) d.error().file = path;
    return d;
}

}  // namespace sluice::dm
