// What a conversion will write: images, their levels, and how a plane is cut into strips and bands.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/convert.h"
#include "zarr/array.h"

namespace sluice::slide::ome {

/// How many pieces of b it takes to hold a.
inline index ceil_div(index a, index b) {
    return (a + b - 1) / b;
}

/// One level of an image's pyramid, for all of its planes.
struct LevelPlan {
    index width = 0, height = 0;
    index chunk_x = 0, chunk_y = 0;
    index shard_x = 0, shard_y = 0;  ///< equal to the chunk where there are no shards
};

/// Levels that are made together: level `source` is read, in strips, and coarser levels are made
/// from it. The first pass reads the slide and writes level 0, others read what was written.
struct Pass {
    int source = 0, last = 0;
    /// Columns of level `source` at most, so many that strips end at files of every level.
    index strip = 0;
};

/// A plane that has tiles.
struct PlanePlan {
    index t = 0, channel = 0, z = 0;  ///< in the image; channel: among ImagePlan::channels
    std::vector<Rect> tiles = {};     ///< where they are in the image, in the full resolution
};

/// A component of an image's c axis.
struct ComponentPlan {
    std::int32_t c = 0;  ///< index of the dimension C
    int sample = 0;      ///< of its pixels
    std::string name;
    std::string color;         ///< "RRGGBB"
    double low = 0, high = 0;  ///< display window, 0..1 of the type's range; both 0: unknown
    double excitation_nm = 0, emission_nm = 0;
};

struct WellPlan {
    std::string row, column;  ///< names
    int field = 0;
};

struct ImagePlan {
    std::string group, name;
    std::optional<std::int32_t> scene;
    std::optional<WellPlan> well;
    Rect rect;              ///< in the file's coordinates
    PlaneIndex first = {};  ///< of every dimension; C is replaced by that of the component
    index t = 1, z = 1;
    std::vector<std::int32_t> channels;     ///< indices of C
    std::vector<ComponentPlan> components;  ///< channels x samples
    std::vector<PlanePlan> planes;          ///< those with tiles, by t, channel and z
    std::vector<LevelPlan> levels;
    std::vector<Pass> passes;
    index lanes = 1;      ///< planes that are made side by side
    bool sparse = false;  ///< most files of the planes would hold no pixel of a tile
};

struct Plan {
    int zarr = 2;  ///< version of the format
    ImageLayout layout = ImageLayout::scenes;
    DType dtype = DType::u8;
    int samples = 1;
    zarr::Codec codec;
    index block = 0;  ///< pixels along the side of a file, and rows of a band
    int threads = 1;
    Device device = Device::cpu();
    Metadata metadata;
    Provenance provenance;
    std::vector<ImagePlan> images;
    std::uint64_t band_memory = 0, cache_memory = 0;  ///< bytes

    index pixel_bytes() const { return size_of(dtype) * samples; }
};

Result<Plan> make_plan(Slide const& slide, ConvertOptions const& options);

/// The array of a level.
zarr::Spec spec_of(Plan const& plan, ImagePlan const& image, int level, double fill);

}  // namespace sluice::slide::ome
