// OME-Zarr folders as their metadata describe them: images, axes, levels and channels.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sluice/result.h"
#include "sluice/view.h"

namespace sluice::slide::ngff {

struct Axis {
    std::string name, type, unit;
};

/// An array as it is stored; one with an unknown codec or type is described, too.
struct Stored {
    int zarr = 2;  ///< version of the format
    std::vector<index> shape, chunk, shard;
    std::string dtype, codec;
    std::vector<std::string> names;  ///< of the dimensions, where the array has them
};

struct Level {
    std::string path;  ///< relative to the image
    Stored array;
    std::vector<double> scale, translation;  ///< along each axis; empty: not told
};

struct Channel {
    std::string name, color;
    std::optional<double> start, end;  ///< of the display window
};

struct Image {
    std::string path, name;  ///< path: relative to the folder; empty: the folder itself
    std::vector<Axis> axes;  ///< empty for an array without metadata of OME
    std::vector<Level> levels;
    std::vector<Channel> channels;
    index tiles_filled = 0;  ///< tiles that the conversion could not read
    /// Files of chunks of each level, where the conversion says so: for a canvas that is nearly
    /// empty, which would otherwise look damaged.
    std::vector<index> files = {};
};

enum class FolderLayout : std::uint8_t { image, series, plate, array };

struct Folder {
    std::string path, version;  ///< version of OME-Zarr; empty: none is told
    FolderLayout layout = FolderLayout::image;
    std::vector<Image> images;
};

/// Reads the metadata of all images and levels, and no pixels.
Result<Folder> open(std::string const& path);

/// The image that the attributes of a group describe; its levels have no arrays yet.
Result<Image> parse_image(std::string const& attributes);

/// The metadata file of an array, .zarray or zarr.json.
Result<Stored> parse_array(std::string const& text);

}  // namespace sluice::slide::ngff
