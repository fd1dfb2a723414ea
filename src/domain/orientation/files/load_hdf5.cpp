// Orientation maps out of HDF5 files of ours.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "domain/orientation/files/columns.h"
#include "domain/orientation/files/map_file.h"
#include "format/hdf5/object/value.h"
#include "sluice/orientation_file.h"
#include "sluice/structure_factors.h"

namespace sluice::stem4d {
namespace {

using orient::MapFile;

constexpr std::size_t most_phases = 1000, most_rows = 200000, most_grains = 8;

// Whole numbers of an operation or an element.
Result<int> small_whole(MapFile const& file, std::string const& name, double v) {
    if (!(std::abs(v) <= 200) || v != std::floor(v))
        return file.damaged(name, fmt::format("has {:g}, no small whole number", v));
    return static_cast<int>(v);
}

Status read_atoms(MapFile const& file, std::string const& at, UnitCell& cell) {
    SLUICE_TRY(auto const rows, file.rows(at + "atoms", orient::atom_numbers, most_rows));
    for (std::size_t i = 0; i < rows.size(); i += orient::atom_numbers) {
        Atom& atom = cell.atoms.emplace_back();
        SLUICE_TRY(atom.number, small_whole(file, at + "atoms", rows[i]));
        atom.place = {rows[i + 1], rows[i + 2], rows[i + 3]};
        atom.occupancy = rows[i + 4];
        atom.b_iso = rows[i + 5];
    }
    return {};
}

Status read_operations(MapFile const& file, std::string const& at, UnitCell& cell) {
    SLUICE_TRY(auto const rows, file.rows(at + "operations", orient::operation_numbers, most_rows));
    for (std::size_t i = 0; i < rows.size(); i += orient::operation_numbers) {
        SymmetryOperation& o = cell.operations.emplace_back();
        for (std::size_t j = 0; j < 9; ++j) {
            SLUICE_TRY(o.turn[j / 3][j % 3], small_whole(file, at + "operations", rows[i + j]));
        }
        for (std::size_t j = 0; j < 3; ++j) o.shift[j] = rows[i + 9 + j];
    }
    return {};
}

Result<CrystalPhase> read_phase(MapFile const& file, std::string const& at) {
    CrystalPhase out;
    SLUICE_TRY(out.name, file.text(at + "name"));
    SLUICE_TRY(out.cell.name, file.text(at + "cell_name"));
    SLUICE_TRY(auto const cell, file.rows(at + "cell", 6, 1));
    if (cell.size() != 6) return file.damaged(at + "cell", "is missing");
    out.cell.a = cell[0], out.cell.b = cell[1], out.cell.c = cell[2];
    out.cell.alpha = cell[3], out.cell.beta = cell[4], out.cell.gamma = cell[5];
    SLUICE_CHECK(read_atoms(file, at, out.cell));
    SLUICE_CHECK(read_operations(file, at, out.cell));
    SLUICE_TRY(out.cell.notes, file.texts(at + "cell_notes"));
    auto symmetry = symmetry_of(out.cell);
    if (!symmetry) return file.damaged(at + "cell", symmetry.error().message);
    out.symmetry = *std::move(symmetry);
    return out;
}

Status read_columns(MapFile const& file, std::string const& at, OrientationMap& map) {
    Status status;
    orient::each_column(map, [&](char const* name, char const*, index parts, auto& column) {
        if (status) status = file.column(at + name, parts, column);
    });
    return status;
}

Status read_overlapping(MapFile const& file, OrientationMap& map) {
    std::string const group(orient::overlapping_group);
    SLUICE_TRY(std::size_t const count, file.members(group));
    if (count >= most_grains) return file.damaged(group, "are more than there can be");
    for (std::size_t i = 0; i < count; ++i) {
        OrientationMap& under = map.overlapping.emplace_back();
        under.scan_shape = map.scan_shape;
        SLUICE_CHECK(read_columns(file, fmt::format("{}/{}/", group, i), under));
    }
    return {};
}

}  // namespace

Result<OrientationMap> load_orientations(std::string const& path) {
    SLUICE_TRY(MapFile const file, MapFile::open(path));
    OrientationMap map;
    map.scan_shape = file.scan_shape();
    SLUICE_TRY(auto const step, file.rows("step_nm", 1, 1));
    if (step.size() != 1) return file.damaged("step_nm", "is missing");
    map.step_nm = step[0];
    // Files of earlier versions have neither.
    SLUICE_TRY(auto const kilovolts, file.rows("kilovolts", 1, 1));
    if (!kilovolts.empty()) map.kilovolts = kilovolts[0];
    SLUICE_TRY(auto const factor, file.rows("common_factor", 2, 1));
    if (!factor.empty()) map.common_factor = factor[0], map.common_factor_error = factor[1];
    SLUICE_CHECK(read_columns(file, "", map));
    SLUICE_CHECK(read_overlapping(file, map));
    SLUICE_TRY(std::size_t const phases, file.members("phases"));
    if (phases > most_phases) return file.damaged("phases", "are more than 1000");
    for (std::size_t i = 0; i < phases; ++i) {
        SLUICE_TRY(map.phases.emplace_back(), read_phase(file, fmt::format("phases/{}/", i)));
    }
    for (OrientationMap& under : map.overlapping) under.phases = map.phases;
    SLUICE_TRY(map.notes, file.texts("notes"));
    SLUICE_TRY(map.provenance, file.provenance());
    SLUICE_TRY(auto const digest, file.text("digest"));
    if (digest != fmt::format("{:016x}", orient::digest_of(map)))
        return file.damaged("numbers", "do not have their digest");
    if (auto good = check_orientations(map); !good)
        return file.damaged("map", good.error().message);
    return map;
}

Result<OrientationInfo> inspect_orientations(std::string const& path) {
    SLUICE_TRY(OrientationMap const map, load_orientations(path));
    OrientationInfo out{map.scan_shape, map.step_nm, map.kilovolts, {}, indexed_patterns(map)};
    for (CrystalPhase const& phase : map.phases) out.phases.push_back(phase.name);
    out.indexed_of_phase.resize(map.phases.size());
    for (std::size_t p = 0; p < map.reason.size(); ++p)
        if (map.reason[p] == OrientationReason::indexed)
            ++out.indexed_of_phase[static_cast<std::size_t>(map.phase[p])];
    return out;
}

}  // namespace sluice::stem4d
