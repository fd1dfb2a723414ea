// Reads the atoms of a CIF, and puts their images into the cell.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/cif/atoms.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "domain/crystal/cif/elements.h"
#include "domain/crystal/cif/temperature.h"

namespace sluice::crystal::cif {
namespace {

using stem4d::Atom;
using stem4d::SymmetryOperation;
using stem4d::UnitCell;

constexpr std::size_t most_atoms = 100000;
// Images of an atom nearer than this part of an axis are one, since files round places.
constexpr double same_place = 0.005;

using Column = std::vector<std::string_view>;

double apart(double x, double y) {
    double const d = std::abs(x - y);
    return std::abs(d - std::round(d));
}

// All images of one atom within the cell.
void add_images(Atom const& atom, std::span<SymmetryOperation const> operations,
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

// The three columns of places; empty where there are none.
std::array<Column const*, 3> places_of(Block const& block) {
    std::array<Column const*, 3> const all{block.find("_atom_site_fract_x"),
                                           block.find("_atom_site_fract_y"),
                                           block.find("_atom_site_fract_z")};
    for (Column const* one : all)
        if (!one || one->empty() || one->size() != all[0]->size()) return {};
    return all;
}

bool read_place(std::array<Column const*, 3> const& columns, std::size_t i, Atom& atom) {
    for (std::size_t k = 0; k < 3; ++k) {
        auto const value = number_of((*columns[k])[i]);
        if (!value || std::abs(*value) > 1000) return false;
        atom.place[k] = *value;
    }
    return true;
}

// Why an atom is not known well enough; empty where it is.
std::string read_atom(Block const& block, std::size_t i, Atom& atom) {
    if (!read_place(places_of(block), i, atom)) return "has no place that can be read";
    auto const* const type = block.find({"_atom_site_type_symbol", "_atom_site_label"});
    std::string_view const symbol = type && i < type->size() ? (*type)[i] : "";
    atom.number = number_of_element(symbol);
    if (atom.number == 0) return fmt::format("is '{}', no element", symbol.substr(0, 20));
    auto const* const occupancy = block.find("_atom_site_occupancy");
    if (occupancy && i < occupancy->size()) {
        std::string_view const text = (*occupancy)[i];
        auto const value = number_of(text);
        if (!value && text != "." && text != "?") return "has no occupancy that can be read";
        atom.occupancy = value.value_or(1);
    }
    if (!(atom.occupancy >= 0 && atom.occupancy <= 1.001))
        return fmt::format("has an occupancy of {:g} (0 to 1 can be)", atom.occupancy);
    return {};
}

}  // namespace

Status read_atoms(Block const& block, UnitCell& cell) {
    auto const* const x = places_of(block)[0];
    if (!x) {
        cell.notes.emplace_back("the CIF has no atoms: symmetry alone says what is absent");
        return {};
    }
    Temperatures const temperatures(block, cell);
    std::size_t without = 0;
    for (std::size_t i = 0; i < x->size(); ++i) {
        Atom atom;
        if (auto const why = read_atom(block, i, atom); !why.empty()) {
            cell.atoms.clear();
            cell.notes.push_back(fmt::format(
                "atom {} of the CIF {}: symmetry alone says what is absent", i + 1, why));
            return {};
        }
        auto const b = temperatures.of(i);
        if (!b) ++without;
        atom.b_iso = b.value_or(0);
        if (cell.atoms.size() + cell.operations.size() > most_atoms)
            return Error{Code::corrupt, fmt::format("the cell has more than {} atoms; take a "
                                                    "smaller one",
                                                    most_atoms)};
        add_images(atom, cell.operations, cell.atoms);
    }
    if (without > 0)
        cell.notes.push_back(
            fmt::format("{} of {} atoms of the CIF have no temperature factor: "
                        "they are taken as at rest",
                        without, x->size()));
    return {};
}

bool fits_multiplicities(Block const& block, std::span<SymmetryOperation const> operations) {
    auto const columns = places_of(block);
    auto const* const counts =
        block.find({"_atom_site_symmetry_multiplicity", "_atom_site_site_symmetry_multiplicity"});
    if (!columns[0] || !counts) return true;
    // A hundred atoms tell; more would only take time.
    std::size_t const n = std::min({counts->size(), columns[0]->size(), std::size_t{100}});
    for (std::size_t i = 0; i < n; ++i) {
        Atom atom;
        auto const stated = number_of((*counts)[i]);
        if (!stated || !read_place(columns, i, atom)) continue;
        std::vector<Atom> images;
        add_images(atom, operations, images);
        if (static_cast<double>(images.size()) != *stated) return false;
    }
    return true;
}

}  // namespace sluice::crystal::cif
