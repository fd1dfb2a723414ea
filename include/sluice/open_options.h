// OpenOptions: how acquisitions are opened, and what only some of their formats understand.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <any>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <typeindex>
#include <utility>

#include "sluice/view.h"

namespace sluice {

/// Of HDF5 files, masters of NXmx among them, and of Zarr.
struct Hdf5Options {
    static constexpr std::string_view of_format = "hdf5";
    std::string dataset = {};  ///< the path inside the file, when there are several
};

/// Of masters of NXmx.
struct NxmxOptions {
    static constexpr std::string_view of_format = "nxmx";
    std::string channel = {};  ///< of a multi-threshold file; empty: the first
};

/// Of raw binary files. With a frame shape any file is opened as one.
struct RawOptions {
    static constexpr std::string_view of_format = "raw";
    std::string raw_dtype = {};                          ///< uint8, uint16, uint32 or float32
    std::optional<std::array<index, 2>> raw_frame = {};  ///< (rows, columns)
    std::uint64_t raw_offset = 0;                        ///< bytes before the first frame
};

/// Of DM3 and DM4 files.
struct DmOptions {
    static constexpr std::string_view of_format = "dm";
    std::uint64_t dm_image = 0;  ///< of several images: its number, from 1 on; 0: the largest
};

/// Of recordings of TVIPS' cameras.
struct TvipsOptions {
    static constexpr std::string_view of_format = "tvips";
    /// The scan's first frame, from 1 on; 0: as the frames' headers say.
    std::uint64_t tvips_start = 0;
};

/// A struct of the options that a format alone has.
template <class Struct>
concept OptionsOfFormat = requires {
    Struct::of_format;
};

/// Such structs, at most one of each type. A format reads its own, and no common struct grows with
/// it: `{.format = RawOptions{.raw_dtype = "uint8", .raw_frame = {{64, 64}}}}`.
class FormatOptions {
  public:
    FormatOptions() = default;
    template <OptionsOfFormat... Structs>
    FormatOptions(Structs... given) {
        ((of<Structs>() = std::move(given)), ...);
    }

    /// The struct of a format, with its usual values where it was not given.
    template <OptionsOfFormat Struct>
    Struct& of() {
        std::any& slot = given_[typeid(Struct)];
        if (!slot.has_value()) slot = Struct{};
        return *std::any_cast<Struct>(&slot);
    }
    template <OptionsOfFormat Struct>
    Struct of() const {
        auto const at = given_.find(typeid(Struct));
        return at == given_.end() ? Struct{} : *std::any_cast<Struct>(&at->second);
    }

  private:
    std::map<std::type_index, std::any> given_;
};

/// How a caller wants files opened. sluice::open() refuses what a file's format does not
/// understand; every format understands the first two.
struct OpenOptions {
    std::optional<std::array<index, 2>> scan_shape = {};  ///< (rows, columns) of the scan
    bool allow_incomplete = false;                        ///< open although frames are missing
    /// What the dimensions of the array are, slowest first, where the file has another order than
    /// scan row, scan column, detector row, detector column (docs/guide/stem4d.md); empty: as is.
    std::string axis_order = {};
    FormatOptions format = {};  ///< what the file's format alone understands
};

}  // namespace sluice
