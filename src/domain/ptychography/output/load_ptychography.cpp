// load_ptychography(): what save_ptychography() wrote, checked part against part.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "domain/ptychography/output/result_file.h"

namespace sluice::stem4d {

namespace {

using ptycho::ResultFile;
using Shape = std::vector<index>;

// What is not there has no axes.
Status fits(ResultFile const& file, char const* name, Shape const& shape, Shape const& wanted) {
    if (shape.empty() || shape == wanted) return {};
    return file.damaged(name, fmt::format("has the shape {}, and the other arrays need {}",
                                          fmt::join(shape, "x"), fmt::join(wanted, "x")));
}

Status read_waves(ResultFile& file, PtychographyResult& r) {
    SLUICE_TRY(r.object, file.array<std::complex<float>>("object", 3));
    SLUICE_TRY(r.probe, file.array<std::complex<float>>("probe", 3));
    SLUICE_TRY(r.opr_modes, file.array<std::complex<float>>("opr_modes", 3, false));
    if (r.object.values.empty()) return file.damaged("object", "has no pixels");
    if (r.probe.values.empty()) return file.damaged("probe", "has no pixels");
    index const side = r.probe.shape[2];
    SLUICE_CHECK(fits(file, "probe", r.probe.shape, {r.probe.shape[0], side, side}));
    if (side > std::min(r.object.shape[1], r.object.shape[2]))
        return file.damaged("probe", "is larger than the object");
    if (r.opr_modes.shape.empty()) return {};
    return fits(file, "opr_modes", r.opr_modes.shape, {r.opr_modes.shape[0], side, side});
}

// Windows move by parts of a pixel, and lie on the object.
Status check_places(ResultFile const& file, PtychographyResult const& r) {
    double const side = static_cast<double>(r.probe.shape[2]);
    double const rows = static_cast<double>(r.object.shape[1]) - side;
    double const cols = static_cast<double>(r.object.shape[2]) - side;
    auto const lies = [&](Position const& p) {
        return p.row > -1 && p.col > -1 && p.row < rows + 1 && p.col < cols + 1;
    };
    if (!std::ranges::all_of(r.positions, lies))
        return file.damaged("positions", "lead out of the object");
    if (!r.started.empty() && r.started.size() != r.positions.size())
        return file.damaged("started", "has another number of places than positions");
    if (!r.descan.empty() && r.descan.size() != r.positions.size())
        return file.damaged("descan", "has another number of shifts than there are positions");
    return {};
}

Status read_places(ResultFile& file, PtychographyResult& r) {
    SLUICE_TRY(r.positions, file.places("positions", true));
    SLUICE_TRY(r.started, file.places("started", false));
    SLUICE_TRY(r.descan, file.places("descan", false));
    SLUICE_TRY(r.shift, file.pair("shift"));
    SLUICE_TRY(r.probe_moved, file.pair("probe_moved"));
    SLUICE_CHECK(check_places(file, r));
    SLUICE_TRY(r.opr_weights, file.array<double>("opr_weights", 2, false));
    SLUICE_TRY(r.background, file.array<float>("background", 2, false));
    index const modes = r.opr_modes.shape.empty() ? 0 : r.opr_modes.shape[0];
    SLUICE_CHECK(
        fits(file, "opr_weights", r.opr_weights.shape, {std::ssize(r.positions), 1 + modes}));
    if (r.background.shape.empty()) return {};
    return fits(file, "background", r.background.shape,
                {r.background.shape[1], r.background.shape[1]});
}

Status read_rounds(ResultFile& file, PtychographyResult& r) {
    std::vector<double> columns[5];
    constexpr char const* names[] = {"rounds/stage", "rounds/r", "rounds/r_intensity",
                                     "rounds/loss", "rounds/seconds"};
    for (std::size_t k = 0; k < 5; ++k) {
        SLUICE_TRY(auto column, file.array<double>(names[k], 1));
        columns[k] = std::move(column.values);
        if (columns[k].size() != columns[0].size())
            return file.damaged(names[k], "has another length than rounds/stage");
    }
    for (std::size_t i = 0; i < columns[0].size(); ++i) {
        double const stage = columns[0][i];
        if (!(stage >= 1 && stage <= 1e6 && stage == std::floor(stage)))
            return file.damaged("rounds/stage", "has what is no number of a stage");
        r.rounds.push_back({static_cast<index>(stage) - 1, columns[1][i], columns[2][i],
                            columns[3][i], columns[4][i]});
    }
    return {};
}

Status read_numbers(ResultFile& file, SavedPtychography& saved) {
    PtychographyResult& r = saved.result;
    SLUICE_TRY(auto powers, file.array<double>("mode_powers", 1));
    SLUICE_CHECK(fits(file, "mode_powers", powers.shape, {r.probe.shape[0]}));
    if (!std::ranges::all_of(powers.values, [](double p) { return p >= 0 && p <= 1; }))
        return file.damaged("mode_powers", "has what is no part of the whole");
    r.mode_powers = std::move(powers.values);
    SLUICE_TRY(Position const tilt, file.pair("tilt_mrad"));
    r.tilt_row_mrad = tilt.row;
    r.tilt_col_mrad = tilt.col;
    double memory = 0;
    std::pair<char const*, double*> const numbers[] = {
        {"pixel_nm", &r.pixel_nm},   {"wavelength_nm", &saved.wavelength_nm},
        {"slice_nm", &r.slice_nm},   {"probe_power", &r.probe_power},
        {"poisson_floor", &r.floor}, {"memory_bytes", &memory}};
    for (auto const& [name, number] : numbers) {
        SLUICE_TRY(*number, file.number(name));
        if (*number < 0 || *number > 1e18) return file.damaged(name, "is out of range");
    }
    r.memory = static_cast<std::uint64_t>(memory);
    return {};
}

}  // namespace

bool holds_ptychography(std::string const& path) {
    auto const root = hdf5::object::Object::open_file(path);
    if (!root) return false;
    auto const kind = ptycho::kind_of(*root);
    return kind && *kind != ptycho::Kind::other;
}

Result<SavedPtychography> load_ptychography(std::string const& path, std::uint64_t most_bytes) {
    SLUICE_TRY(ResultFile file, ResultFile::open(path, most_bytes));
    SavedPtychography saved;
    SLUICE_CHECK(read_waves(file, saved.result));
    SLUICE_CHECK(read_numbers(file, saved));
    SLUICE_CHECK(read_places(file, saved.result));
    SLUICE_CHECK(read_rounds(file, saved.result));
    SLUICE_CHECK(file.words(saved));
    return saved;
}

}  // namespace sluice::stem4d
