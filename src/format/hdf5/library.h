// libhdf5 behind handles that close themselves and a lock, with its own printing silenced.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hdf5.h>

#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sluice/result.h"
#include "sluice/view.h"

namespace sluice::hdf5 {

/// While one lives, this thread alone calls libhdf5 (many builds of it are not thread-safe) and
/// libhdf5 prints nothing. May be nested.
class LibraryLock {
  public:
    LibraryLock();

  private:
    std::unique_lock<std::recursive_mutex> lock_;
};

/// An identifier of libhdf5, closed at the end.
class Handle {
  public:
    using Close = herr_t (*)(hid_t);
    Handle() = default;
    Handle(hid_t id, Close close) : id_(id), close_(close) {}
    Handle(Handle&& o) noexcept : id_(std::exchange(o.id_, -1)), close_(o.close_) {}
    Handle& operator=(Handle&& o) noexcept {
        std::swap(id_, o.id_);
        std::swap(close_, o.close_);
        return *this;
    }
    ~Handle();

    explicit operator bool() const { return id_ >= 0; }
    hid_t id() const { return id_; }

  private:
    hid_t id_ = -1;
    Close close_ = nullptr;
};

/// Opens a file for reading, without the lock files that network file systems refuse.
Result<Handle> open_file(std::string const& path);
/// A group, dataset or type; an empty handle if there is nothing at `path`. External links are
/// followed relative to their file.
Handle open_object(hid_t at, std::string const& path);
/// Whether every link on the way to `path` is there (the last may point nowhere).
bool has_link(hid_t at, std::string const& path);
/// Why an object that is linked cannot be opened, as words for an error.
std::string unreadable_because();
bool is_dataset(Handle const& object);
bool is_group(Handle const& object);
/// The names of a group's links, by name; empty if there is no such group.
std::vector<std::string> link_names(hid_t at, std::string const& group);

/// Equal for two ways to the same object: (file, address of the object header).
std::pair<std::uint64_t, std::uint64_t> identity_of(hid_t object);

struct ExternalTarget {
    std::string file, path;
};
/// Where an external link points, or nothing if `path` is no external link.
std::optional<ExternalTarget> external_target(hid_t at, std::string const& path);

/// The extent of a dataset; empty for a scalar.
std::vector<std::uint64_t> extent_of(Handle const& dataset);

/// A number: a scalar or one-element dataset at `path` of any numeric type.
std::optional<double> read_number(hid_t at, std::string const& path);
/// The same for whole numbers, exact to 64 bits; negative ones are nothing.
std::optional<std::uint64_t> read_count(hid_t at, std::string const& path);
/// A string of fixed or variable length, or a 1-D array of them.
std::optional<std::string> read_text(hid_t at, std::string const& path);
std::vector<std::string> read_texts(hid_t at, std::string const& path);
/// A 2-D dataset of integers as u32, [row][column]; nothing if its extent is another.
std::optional<std::vector<std::uint32_t>> read_image(hid_t at, std::string const& path, index rows,
                                                     index cols);

/// An attribute of an object: numbers (any count up to 64).
std::vector<double> attribute_numbers(hid_t object, std::string const& name);
std::optional<double> attribute_number(hid_t object, std::string const& name);
/// A string attribute, one-dimensional or a scalar.
std::vector<std::string> attribute_texts(hid_t object, std::string const& name);
/// A string attribute of one element.
std::optional<std::string> attribute_text(hid_t object, std::string const& name);

}  // namespace sluice::hdf5
