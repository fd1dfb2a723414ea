// parse_cif: the cell, the symmetry and the atoms of a CIF.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/file.h"
#include "domain/crystal/cif/block.h"
#include "domain/crystal/cif/elements.h"
#include "domain/crystal/cif/symmetry.h"
#include "sluice/unit_cell.h"

namespace sluice::stem4d {
namespace {

using crystal::cif::Block;
using crystal::cif::number_of;

constexpr std::uint64_t most_cif_bytes = 16 << 20;
constexpr std::size_t most_operations = 1024, most_atoms = 100000;
// Images of an atom nearer than this part of an axis are one, since files round places.
constexpr double same_place = 0.005;

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

Status read_operations(Block const& block, UnitCell& cell, bool& whole) {
    auto const* const texts =
        block.find({"_space_group_symop_operation_xyz", "_symmetry_equiv_pos_as_xyz"});
    whole = texts && !texts->empty();
    if (whole) {
        if (texts->size() > most_operations)
            return no_cif(fmt::format("there are {} symmetry operations (at most 1024 can be)",
                                      texts->size()));
        for (std::string_view text : *texts) {
            auto const operation = crystal::cif::parse_operation(text);
            if (!operation)
                return no_cif(
                    fmt::format("the symmetry operation '{}' is not understood; write it "
                                "as in -x,y+1/2,-z",
                                text.substr(0, 40)));
            cell.operations.push_back(*operation);
        }
        return {};
    }
    auto const* const group = block.find(
        {"_space_group_name_h-m_alt", "_symmetry_space_group_name_h-m", "_space_group_name_h-m"});
    std::string_view const name = group && !group->empty() ? group->front() : "";
    if (name.empty() || name == "?" || name == ".") {
        cell.notes.emplace_back(
            "the CIF states no symmetry: no reflection is taken as absent for it");
        cell.operations = crystal::cif::centring_of('P');
        whole = true;
        return {};
    }
    cell.operations = crystal::cif::centring_of(name.front());
    whole = name == "P1" || name == "P 1";
    if (!whole)
        cell.notes.push_back(
            fmt::format("the CIF names its space group, {}, without its operations: only what its "
                        "letter forbids is taken as absent",
                        name.substr(0, 20)));
    return {};
}

double apart(double x, double y) {
    double const d = std::abs(x - y);
    return std::abs(d - std::round(d));
}

// All images of one atom within the cell.
void add_images(Atom const& atom, std::vector<SymmetryOperation> const& operations,
                std::vector<Atom>& atoms) {
    std::size_t const first = atoms.size();
    for (SymmetryOperation const& o : operations) {
        Atom image = atom;
        for (std::size_t i = 0; i < 3; ++i) {
            double x = o.shift[i];
            for (std::size_t j = 0; j < 3; ++j) x += o.turn[i][j] * atom.place[j];
            image.place[i] = x - std::floor(x);
        }
        bool const there = std::any_of(
            atoms.begin() + static_cast<index>(first), atoms.end(), [&](Atom const& other) {
                return apart(other.place[0], image.place[0]) < same_place &&
                       apart(other.place[1], image.place[1]) < same_place &&
                       apart(other.place[2], image.place[2]) < same_place;
            });
        if (!there) atoms.push_back(image);
    }
}

// False where some atom is not known well enough.
bool read_atom(Block const& block, std::size_t i, Atom& atom) {
    constexpr char const* places[] = {"_atom_site_fract_x", "_atom_site_fract_y",
                                      "_atom_site_fract_z"};
    for (std::size_t k = 0; k < 3; ++k) {
        auto const value = number_of((*block.find(places[k]))[i]);
        if (!value || std::abs(*value) > 1000) return false;
        atom.place[k] = *value;
    }
    auto const* const type = block.find({"_atom_site_type_symbol", "_atom_site_label"});
    if (!type || i >= type->size()) return false;
    atom.number = crystal::cif::number_of_element((*type)[i]);
    auto const* const occupancy = block.find("_atom_site_occupancy");
    if (occupancy && i < occupancy->size()) {
        std::string_view const text = (*occupancy)[i];
        auto const value = number_of(text);
        if (!value && text != "." && text != "?") return false;
        atom.occupancy = value.value_or(1);
    }
    return atom.number > 0 && atom.occupancy >= 0 && atom.occupancy <= 1.001;
}

Status read_atoms(Block const& block, UnitCell& cell) {
    auto const* const x = block.find("_atom_site_fract_x");
    auto const* const y = block.find("_atom_site_fract_y");
    auto const* const z = block.find("_atom_site_fract_z");
    if (!x || !y || !z || x->empty() || y->size() != x->size() || z->size() != x->size()) {
        cell.notes.emplace_back("the CIF has no atoms: symmetry alone says what is absent");
        return {};
    }
    for (std::size_t i = 0; i < x->size(); ++i) {
        Atom atom;
        if (!read_atom(block, i, atom)) {
            cell.atoms.clear();
            cell.notes.push_back(
                fmt::format("atom {} of the CIF has no element, place or occupancy that can be "
                            "read: symmetry alone says what is absent",
                            i + 1));
            return {};
        }
        if (cell.atoms.size() + cell.operations.size() > most_atoms)
            return no_cif(
                fmt::format("the cell has more than {} atoms; take a smaller one", most_atoms));
        add_images(atom, cell.operations, cell.atoms);
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
    SLUICE_CHECK(read_operations(*block, cell, whole));
    if (whole) SLUICE_CHECK(read_atoms(*block, cell));
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
