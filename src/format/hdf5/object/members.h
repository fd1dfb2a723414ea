// Members: what a compound is made of, for compounds of numbers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/hdf5/object/dataset.h"

namespace sluice::hdf5::object {

/// A number of a compound.
struct Member {
    std::string name;
    std::uint64_t offset = 0;  ///< bytes from the beginning of the compound
    Datatype type = {};
};

struct Compound {
    std::uint64_t size = 0;  ///< bytes
    std::vector<Member> members = {};

    Member const* find(std::string_view name) const;
};

/// The compound in the lists of a dataset, such as emdfile's PointListArray. Code::unsupported
/// where the elements are no lists, or lists of something else than compounds of numbers.
Result<Compound> compound_of_lists(Object const& dataset);

}  // namespace sluice::hdf5::object
