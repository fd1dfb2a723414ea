// Values: what a master says in small datasets, with the first damage kept for one check.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/hdf5/object/value.h"

namespace sluice::nxmx {

/// Yields nothing where there is no value of the kind asked for. Damage is kept, so that a reader
/// of many values may check once; a value that is only not supported, or linked from a missing
/// file, becomes a note.
class Values {
  public:
    explicit Values(hdf5::object::Object const& root) : root_(root) {}
    hdf5::object::Object const& root() const { return root_; }

    std::optional<double> number(std::string const& path);
    std::optional<std::uint64_t> count(std::string const& path);
    std::optional<std::string> text(std::string const& path);
    std::vector<std::string> texts(std::string const& path);
    std::optional<hdf5::object::Object> object(std::string const& path);
    /// Of the object at `path`.
    std::vector<double> attribute_numbers(std::string const& path, std::string const& name);
    std::optional<double> attribute_number(std::string const& path, std::string const& name);
    std::optional<std::string> attribute_text(std::string const& path, std::string const& name);

    /// The first damage, if there was any.
    Status status() const;
    std::vector<std::string> const& notes() const { return notes_; }

  private:
    template <class T>
    T kept(std::string const& path, Result<T> value);

    hdf5::object::Object root_;
    std::optional<Error> damage_;
    std::vector<std::string> notes_;
};

}  // namespace sluice::nxmx
