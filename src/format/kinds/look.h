// Look: a path, and what one look at it tells.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "format/hdf5/object/object.h"

namespace sluice {

/// The first bytes of a file and its name. All that ask what a file is share one of these, so that
/// the file is opened once. For one thread at a time.
class Look {
  public:
    explicit Look(std::string path);

    std::string const& path() const { return path_; }
    bool is_folder() const { return folder_; }
    /// Why the file cannot be read; a folder can.
    Status const& readable() const { return readable_; }
    /// In small letters and with its dot: ".czi".
    std::string const& ending() const { return ending_; }
    /// The first 4096 bytes, or all of a shorter file.
    Bytes head() const { return head_; }
    bool begins(std::string_view bytes, std::size_t at = 0) const;
    /// The root group, where this is an HDF5 file that can be opened; it is opened once.
    std::optional<hdf5::object::Object> const& hdf5() const;

  private:
    std::string path_, ending_;
    bool folder_ = false;
    Status readable_;
    std::vector<std::byte> head_;
    mutable bool asked_ = false;
    mutable std::optional<hdf5::object::Object> root_;
};

}  // namespace sluice
