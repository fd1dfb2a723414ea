// Attributes: small values that belong to an object.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/hdf5/object/dataset.h"

namespace sluice::hdf5::object {

/// Elements with what they are: of an attribute or a small dataset.
struct Elements {
    Datatype type = {};
    Dataspace space = {};
    std::vector<std::byte> bytes = {};  ///< count() elements of type.size bytes

    std::uint64_t count() const { return type.size == 0 ? 0 : bytes.size() / type.size; }
};

struct Attribute {
    std::string name;
    Elements value = {};
};

/// All attributes of an object, stored in its header or in a heap.
Result<std::vector<Attribute>> attributes_of(Object const& object);
/// One of them; nothing if there is none of that name.
Result<std::optional<Attribute>> attribute_named(Object const& object, std::string_view name);

}  // namespace sluice::hdf5::object
