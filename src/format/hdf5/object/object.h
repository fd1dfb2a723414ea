// Object: a group, dataset or named type of an HDF5 file, and the way to it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/hdf5/object/links.h"

namespace sluice::hdf5::object {

/// Cheap to copy; threads may share one.
class Object {
  public:
    /// Opens a file and yields its root group.
    static Result<Object> open_file(std::string const& path);
    static Result<Object> root_of(Source::Pointer source);
    static Result<Object> at(Source::Pointer source, std::uint64_t address, std::string path);

    Source const& source() const { return *source_; }
    Source::Pointer const& shared_source() const { return source_; }
    std::string const& file() const { return source_->path(); }
    /// Its path in its own file, as it was reached.
    std::string const& path() const { return path_; }
    Header const& header() const { return *header_; }
    std::uint64_t address() const { return address_; }
    bool is_group() const { return object::is_group(*header_); }
    bool is_dataset() const;
    /// Equal for two ways to the same object: (file, address of the object header).
    std::pair<std::string, std::uint64_t> identity() const;

    /// The links of a group by name.
    Result<std::vector<Link>> links() const { return links_of(*source_, *header_); }
    /// The object at a path from here (from the root, if it begins with '/'), through links of all
    /// kinds. Nothing if a name on the way is not there; an error if a link is damaged, leads
    /// nowhere or runs in a circle.
    Result<std::optional<Object>> find(std::string_view path) const;
    /// What one of this group's own links leads to.
    Result<Object> follow(Link const& link) const;
    /// The link at a path, which is not followed itself.
    Result<std::optional<Link>> find_link(std::string_view path) const;

  private:
    Source::Pointer source_;
    std::uint64_t address_ = 0;
    std::string path_;
    std::shared_ptr<Header const> header_;
};

}  // namespace sluice::hdf5::object
