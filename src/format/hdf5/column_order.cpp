// What the files of MATLAB, GNU Octave, Julia and R are known by.
// SPDX-License-Identifier: Apache-2.0
#include "format/hdf5/column_order.h"

#include <algorithm>
#include <cctype>

#include "format/hdf5/object/attribute.h"

namespace sluice::hdf5 {
namespace {

using Program = std::optional<std::string>;

struct Mark {
    std::string_view text;
    char const* program;
};
// Of the block before the HDF5 file itself.
constexpr Mark blocks[] = {{"MATLAB", "MATLAB"},
                           {"HDF5-based Julia Data Format", "Julia"},
                           {"Julia data file (HDF5)", "Julia"}};
// Of a dataset, or of the group that it is in.
constexpr Mark attributes[] = {{"MATLAB_class", "MATLAB"},
                               {"OCTAVE_NEW_FORMAT", "GNU Octave"},
                               {"OCTAVE_GLOBAL", "GNU Octave"},
                               {"rhdf5-NA.OK", "R"}};

Result<Program> by_attribute(object::Object const& o) {
    for (Mark const& m : attributes) {
        SLUICE_TRY(auto const a, object::attribute_named(o, m.text));
        if (a) return Program(m.program);
    }
    return Program{};
}

Program by_block(ReadAt const& in) {
    std::string head(static_cast<std::size_t>(std::min<std::uint64_t>(in.size(), 64)), '\0');
    if (!in.read(0, std::as_writable_bytes(std::span(head)))) return {};
    for (Mark const& m : blocks)
        if (head.starts_with(m.text)) return m.program;
    return {};
}

bool is_mat(std::string const& file) {
    std::string const ending = ".mat";
    return file.size() >= ending.size() &&
           std::equal(
               ending.begin(), ending.end(), file.end() - std::ssize(ending),
               [](char a, char b) { return a == std::tolower(static_cast<unsigned char>(b)); });
}

}  // namespace

Result<Program> column_order_program(StoredDataset const& d) {
    SLUICE_TRY(Program program, by_attribute(d.object));
    if (program) return program;
    std::string const group = d.object.path().substr(0, d.object.path().find_last_of('/'));
    SLUICE_TRY(object::Object const root, object::Object::root_of(d.object.shared_source()));
    SLUICE_TRY(auto const around, root.find(group.empty() ? "/" : group));
    if (around) {
        SLUICE_TRY(program, by_attribute(*around));
    }
    if (!program) program = by_block(d.object.source().bytes());
    if (!program && is_mat(d.file)) program = "MATLAB";
    return program;
}

}  // namespace sluice::hdf5
