// Saving results: arrays as NPY, TIFF and HDF5, pictures as PNG, each with where it came from.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sluice/dtype.h"
#include "sluice/progress.h"
#include "sluice/provenance.h"
#include "sluice/result.h"
#include "sluice/scan_map.h"
#include "sluice/view.h"
#include "sluice/volume.h"

// Every function writes under a temporary name and renames at the end: a file is there whole or not
// at all, and one that stood there before stays until the new one is complete.
namespace sluice {

/// A picture of 8-bit sRGB pixels: 3 bytes each, row by row from the top.
struct Picture {
    index rows = 0, cols = 0;
    std::vector<std::uint8_t> rgb = {};
};

/// An array and how it is called in a file.
struct NamedArray {
    std::string name;  ///< the HDF5 path below the root, e.g. "com/row"
    std::string unit;  ///< e.g. "mrad", or empty
    std::variant<Array<float>, Array<double>, Array<std::uint64_t>> array;
};

/// NPY 1.0 in C order; T is one of uint8, uint16, uint32, uint64, int64, float, double.
template <class T>
Status save_npy(std::string const& path, Array<T> const& array);

/// Elements of a type that is known only at run time.
struct Elements {
    DType dtype = DType::u8;
    std::vector<index> shape;
    std::span<std::byte const> bytes;  ///< in C order, in the machine's byte order
};

/// Of any type but bf16, which NumPy does not have. The progress is in bytes.
Status save_npy(std::string const& path, Elements const& array, Progress const& progress = {});

/// A page for each [row][col][sample] of the last three extents; 1, 3 or 4 samples, the fourth an
/// alpha. More than 4 GB become a BigTIFF. For u8, u16, i32, f32 and f64.
Status save_tiff(std::string const& path, Elements const& pages, Provenance const& provenance = {});

/// One page of float32; `image` is [row][col], and no side of it is 0. The provenance is a JSON
/// object in ImageDescription.
Status save_tiff(std::string const& path, View<float const, 2> image,
                 Provenance const& provenance = {});
/// One page of float32 per image; `images` is [page][row][col].
Status save_tiff(std::string const& path, View<float const, 3> images,
                 Provenance const& provenance = {});

/// MetaImage of float32: `.mha` holds header and elements, beside `.mhd` they become `.raw`. The
/// spacing (1 mm unless told) and the origin go along.
Status save_metaimage(std::string const& path, Volume const& volume);
/// The same as NRRD, in one file; the provenance becomes comments.
Status save_nrrd(std::string const& path, Volume const& volume, Provenance const& provenance = {});

/// A dataset per array, with the attribute `units`; the provenance is the root group's attributes.
/// The file is put together in memory first.
Status save_hdf5(std::string const& path, std::vector<NamedArray> const& arrays,
                 Provenance const& provenance = {});

/// A dataset of a type that is known at run time, handed over in pieces: data that is kept in
/// another form needs no second copy.
struct Hdf5Dataset {
    std::string name;  ///< the HDF5 path below the root, e.g. "entry_1/data_1/data"
    std::string unit = {};
    DType dtype = DType::f32;  ///< c64 and c128 become compounds of r and i, as h5py has them
    std::vector<index> shape = {};
    /// The bytes of piece 0, 1, ... in C order, one call after the other; together all elements.
    std::function<Result<Bytes>(index)> piece = {};
    index pieces = 1;
    /// Elements of a chunk along each axis, of which all but the first that is not 1 are whole: the
    /// chunks then lie in one piece, too. Empty: no chunks. Readers need HDF5 1.10.
    std::vector<index> chunk = {};
};
/// A text in UTF-8 as a scalar dataset.
struct Hdf5Text {
    std::string name, text;
};
/// Another name of an object: a soft link.
struct Hdf5Link {
    std::string name, target;
};
/// An attribute of a group or dataset; a group is made where nothing has the name.
struct Hdf5Attribute {
    std::string object;  ///< its path below the root; empty: the root
    std::string name;
    std::variant<std::string, std::int64_t, double, bool> value;  ///< bool as h5py has it
};
/// A group, where nothing has the name.
struct Hdf5Group {
    std::string name;
};
/// A list of points for each place of a grid, of any length: a dataset of lists of compounds of
/// float64, as emdfile's PointListArray has them.
struct Hdf5PointLists {
    std::string name;
    std::array<index, 2> shape{};
    /// [list + 1] where the points of a list begin; from 0 to the number of points.
    std::span<index const> first = {};
    /// The name of each field, and its values: [point]; or no values, and `values` has them.
    std::vector<std::pair<std::string, std::span<float const>>> fields = {};
    /// Of a field, those of the points [first, last), until the next call for it: points that are
    /// not in memory.
    std::function<Result<std::span<float const>>(std::size_t field, index first, index last)>
        values = {};
};
using Hdf5Entry =
    std::variant<Hdf5Dataset, Hdf5Text, Hdf5Link, Hdf5Attribute, Hdf5Group, Hdf5PointLists>;

/// Elements that stay where they are until the file is written.
Hdf5Dataset hdf5_dataset(std::string name, std::string unit, Elements const& elements);

/// All of them in one file; the provenance is the root group's attributes. Takes no memory for the
/// elements. Not bool, f16 and bf16.
Status save_hdf5(std::string const& path, std::vector<Hdf5Entry> const& entries,
                 Provenance const& provenance);

/// A map in the format that the path ends with: .npy, .tif (float32), .nrrd (float32), .png (gray
/// from the least to the most value, red where there is none), .h5 or .mat. Of the metadata, NPY
/// keeps none. The error is in the same file of HDF5 and MAT, else in one beside it, as in
/// "com_row_error.npy".
Status save_map(std::string const& path, ScanMap const& map, Provenance const& provenance = {});
/// Maps in one file: each is a dataset with its unit, beside those of its error and its reasons
/// (numbers of Missing), as in "com_row_error" and "com_row_reason".
Status save_hdf5(std::string const& path, std::span<ScanMap const> maps,
                 Provenance const& provenance = {});

/// 8-bit RGB with the provenance as text chunks.
Status save_png(std::string const& path, Picture const& picture, Provenance const& provenance = {});

}  // namespace sluice
