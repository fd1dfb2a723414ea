// parse_cif: the cell, the symmetry and the atoms of a CIF.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "base/file.h"
#include "domain/crystal/cif/atoms.h"
#include "domain/crystal/cif/block.h"
#include "domain/crystal/cif/operations.h"
#include "sluice/unit_cell.h"

namespace sluice::stem4d {
namespace {

using crystal::cif::Block;
using crystal::cif::number_of;

constexpr std::uint64_t most_cif_bytes = 16 << 20;

Error no_cif(std::string text) {
    return {Code::corrupt, std::move(text)};
}

Status read_axes(Block const& block, UnitCell& cell) {
    struct Entry {
        char const* name;
        double* into;
    };
    for (auto const& [name, into] : {Entry{"_cell_length_a", &cell.a},
                                     {"_cell_length_b", &cell.b},
                                     {"_cell_length_c", &cell.c},
                                     {"_cell_angle_alpha", &cell.alpha},
                                     {"_cell_angle_beta", &cell.beta},
                                     {"_cell_angle_gamma", &cell.gamma}}) {
        auto const* const found = block.find(name);
        if (!found || found->empty())
            return no_cif(fmt::format("{} is missing (a cell has six numbers); add it", name));
        auto const value = number_of(found->front());
        if (!value)
            return no_cif(
                fmt::format("{} is '{}' (no number); mend it", name, found->front().substr(0, 40)));
        *into = *value;
    }
    return {};
}

std::string name_in(Block const& block) {
    for (char const* key : {"_chemical_name_mineral", "_chemical_name_common",
                            "_chemical_formula_sum", "_chemical_name_systematic"})
        if (auto const* found = block.find(key); found && !found->empty())
            if (std::string_view const text = found->front(); text != "?" && text != ".")
                return std::string(text.substr(0, 80));
    return block.name.substr(0, 80);
}

}  // namespace

Result<UnitCell> parse_cif(std::string_view text) {
    SLUICE_TRY(auto const blocks, crystal::cif::read_blocks(text));
    auto const has_cell = [](Block const& b) { return b.find("_cell_length_a") != nullptr; };
    auto const block = std::ranges::find_if(blocks, has_cell);
    if (block == blocks.end())
        return no_cif("no block has a cell (_cell_length_a); give a CIF of a crystal structure");
    UnitCell cell;
    cell.name = name_in(*block);
    if (auto const n = std::ranges::count_if(blocks, has_cell); n > 1)
        cell.notes.push_back(
            fmt::format("the CIF has {} cells; the first one, {}, is taken", n, block->name));
    SLUICE_CHECK(read_axes(*block, cell));
    SLUICE_CHECK(check_cell(cell));
    bool whole = false;
    SLUICE_CHECK(crystal::cif::read_operations(*block, cell, whole));
    if (whole) SLUICE_CHECK(crystal::cif::read_atoms(*block, cell));
    return cell;
}

Result<UnitCell> load_cif(std::string const& path) {
    SLUICE_TRY(auto const bytes, read_file(path, most_cif_bytes));
    auto cell = parse_cif({reinterpret_cast<char const*>(bytes.data()), bytes.size()});
    if (cell) return cell;
    Error error = cell.error();
    error.file = path;
    return error;
}

}  // namespace sluice::stem4d
