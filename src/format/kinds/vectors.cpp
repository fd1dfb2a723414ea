// Bragg vectors: EMD files that have them and no scan, and our NPY files of records.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "format/hdf5/emd.h"
#include "format/kinds/kinds.h"

namespace sluice {
namespace {

bool has(hdf5::object::Object const& root, std::string_view python_class) {
    auto const nodes = hdf5::emd_nodes(root, python_class);
    return nodes && !nodes->empty();
}

// NumPy writes the fields of records where the descr of other arrays has one word.
bool is_records(Look const& look) {
    constexpr std::string_view mark = "[('pattern_row', ";
    auto const* const text = reinterpret_cast<char const*>(look.head().data());
    return look.begins("\x93NUMPY") &&
           std::string_view(text, look.head().size()).find(mark) != std::string_view::npos;
}

bool has_vectors(Look const& look) {
    if (is_records(look)) return true;
    auto const& root = look.hdf5();
    return root && has(*root, hdf5::emd_bragg_vectors) && !has(*root, hdf5::emd_datacube);
}

}  // namespace

constinit ContentKind const kinds::vectors{
    "vectors", "file of Bragg vectors", "EMD 1.0, NPY",
    "`sluice info` and `sluice stem4d strain` read it, and load_vectors() in Python and C++",
    has_vectors};

}  // namespace sluice
