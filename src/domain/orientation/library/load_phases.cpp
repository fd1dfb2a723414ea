// Reads CIFs, and names crystals so that phases can be told apart.
// SPDX-License-Identifier: Apache-2.0
#include "domain/orientation/library/load_phases.h"

#include <fmt/format.h>

#include <algorithm>

namespace sluice::orient {

Result<LoadedPhases> load_phases(std::span<std::string const> files) {
    LoadedPhases out;
    for (std::string const& file : files) {
        SLUICE_TRY(stem4d::UnitCell cell, stem4d::load_cif(file));
        if (cell.atoms.empty())
            return Error{
                Code::invalid_argument,
                fmt::format(
                    "has no atoms that can be used ({}; intensities follow from atoms) mend "
                    "it, or give another CIF of the crystal",
                    cell.notes.empty() ? "it lists none" : cell.notes.back()),
                file};
        for (std::string const& note : cell.notes)
            out.notes.push_back(fmt::format("{}: {}", file, note));
        // Files of one database often have no name, and phases are told apart by it.
        auto const taken = [&](stem4d::UnitCell const& other) { return other.name == cell.name; };
        if (cell.name.empty() || std::ranges::any_of(out.cells, taken))
            cell.name = file.substr(file.rfind('/') + 1);
        out.cells.push_back(std::move(cell));
    }
    return out;
}

}  // namespace sluice::orient
