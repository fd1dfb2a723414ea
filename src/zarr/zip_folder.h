// The members of a zip file as files in folders.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "codec/zip/zip.h"
#include "zarr/place.h"

namespace sluice::zarr {

class ZipFolder {
  public:
    static Result<ZipFolder> open(std::shared_ptr<Source const> file);

    /// Paths within the zip, without a slash at either end; empty: all of it.
    bool has(std::string const& path) const;
    Result<std::shared_ptr<Source const>> open_file(std::string const& path) const;
    std::vector<Below> list_folder(std::string const& path) const;
    std::vector<Below> list_files(std::string const& path) const;

  private:
    zip::Member const* find(std::string const& path) const;
    std::size_t first_below(std::string const& folder) const;

    std::shared_ptr<Source const> file_;
    std::vector<zip::Member> members_;  ///< by name
};

/// A path that goes through a zip file: the zip, and the way in it.
struct InZip {
    std::shared_ptr<ZipFolder const> zip;
    std::string path;
};
/// Nothing for other paths. Zips stay open as long as they stay the same files.
Result<std::optional<InZip>> in_zip(std::string const& path);

}  // namespace sluice::zarr
