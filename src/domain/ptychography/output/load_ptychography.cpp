// load_ptychography(): what save_ptychography() wrote, checked part against part.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "domain/ptychography/output/misfit.h"
#include "domain/ptychography/output/result_file.h"
#include "format/kinds/kinds.h"
#include "sluice/ptychography_settings.h"

namespace sluice::ptycho {

namespace {

using stem4d::Likelihood;
using stem4d::Position;
using stem4d::PtychographyResult;
using stem4d::PtychographyStage;
using stem4d::SavedPtychography;
using stem4d::SettingTexts;

Status read_arrays(ResultFile& file, PtychographyResult& r) {
    SLUICE_TRY(r.object, file.array<std::complex<float>>("object", 3));
    SLUICE_TRY(r.probe, file.array<std::complex<float>>("probe", 3));
    SLUICE_TRY(r.opr_modes, file.array<std::complex<float>>("opr_modes", 3, false));
    SLUICE_TRY(r.opr_weights, file.array<double>("opr_weights", 2, false));
    SLUICE_TRY(r.background, file.array<float>("background", 2, false));
    SLUICE_TRY(auto powers, file.array<double>("mode_powers", 1));
    r.mode_powers = std::move(powers.values);
    return {};
}

Status read_places(ResultFile& file, PtychographyResult& r) {
    SLUICE_TRY(r.positions, file.places("positions", true));
    SLUICE_TRY(r.started, file.places("started", false));
    SLUICE_TRY(r.descan, file.places("descan", false));
    SLUICE_TRY(r.shift, file.pair("shift"));
    SLUICE_TRY(r.probe_moved, file.pair("probe_moved"));
    SLUICE_TRY(Position const tilt, file.pair("tilt_mrad"));
    r.tilt_row_mrad = tilt.row;
    r.tilt_col_mrad = tilt.col;
    return {};
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
        if (!(std::abs(stage) <= 1e9 && stage == std::floor(stage)))
            return file.damaged("rounds/stage", "has an invalid stage number");
        r.rounds.push_back({static_cast<index>(stage) - 1, columns[1][i], columns[2][i],
                            columns[3][i], columns[4][i]});
    }
    return {};
}

Status read_numbers(ResultFile& file, SavedPtychography& saved) {
    PtychographyResult& r = saved.result;
    double memory = 0;
    std::pair<char const*, double*> const numbers[] = {
        {"pixel_nm", &r.pixel_nm},   {"wavelength_nm", &saved.wavelength_nm},
        {"slice_nm", &r.slice_nm},   {"probe_power", &r.probe_power},
        {"poisson_floor", &r.floor}, {"memory_bytes", &memory}};
    for (auto const& [name, number] : numbers) {
        SLUICE_TRY(*number, file.number(name));
    }
    for (auto const& [name, number] :
         {std::pair("wavelength_nm", saved.wavelength_nm), {"memory_bytes", memory}})
        if (number < 0 || number > 1e18) return file.damaged(name, "is out of range");
    r.memory = static_cast<std::uint64_t>(memory);
    SLUICE_TRY(r.propagation, file.propagation());
    return {};
}

// The entries that other programs read by the names of CXI.
Status check_cxi(ResultFile const& file) {
    for (auto const& [link, name] : {std::pair("entry_1/image_1/data", "object"),
                                     {"entry_1/image_2/data", "probe"},
                                     {"entry_1/data_1/data", "object"}})
        SLUICE_CHECK(file.same(link, name));
    for (char const* const name : {"entry_1/image_1/x_pixel_size", "entry_1/image_1/y_pixel_size",
                                   "entry_1/image_2/x_pixel_size", "entry_1/image_2/y_pixel_size",
                                   "entry_1/instrument_1/source_1/wavelength"}) {
        SLUICE_TRY([[maybe_unused]] double const as_written, file.number(name));
    }
    return {};
}

// The likelihoods of all stages that state one; older files may state one that their solver
// ignored.
std::vector<Likelihood> likelihoods_of(SettingTexts const& settings) {
    std::vector<Likelihood> found;
    for (auto const& [name, value] : settings) {
        PtychographyStage stage;
        if (name == "stage " + std::to_string(found.size() + 1) + " likelihood" &&
            stem4d::set(stage, "likelihood", value))
            found.push_back(stage.likelihood);
    }
    return found;
}

}  // namespace

}  // namespace sluice::ptycho

namespace sluice::stem4d {

bool holds_ptychography(std::string const& path) {
    Look const look(path);
    return !look.is_folder() &&
           (kinds::reconstruction.recognises(look) || kinds::checkpoint.recognises(look));
}

Result<SavedPtychography> load_ptychography(std::string const& path, std::uint64_t most_bytes) {
    SLUICE_TRY(ptycho::ResultFile file, ptycho::ResultFile::open(path, most_bytes));
    SavedPtychography saved;
    SLUICE_CHECK(ptycho::read_arrays(file, saved.result));
    SLUICE_CHECK(ptycho::read_places(file, saved.result));
    SLUICE_CHECK(ptycho::read_rounds(file, saved.result));
    SLUICE_CHECK(ptycho::read_numbers(file, saved));
    if (auto const found = ptycho::misfit_of(saved.result))
        return file.damaged(found->name, found->problem);
    SLUICE_CHECK(ptycho::check_cxi(file));
    SLUICE_CHECK(file.words(saved));
    // Older files have it among the settings only.
    if (!file.has_digests() &&
        std::ranges::find(saved.settings, std::pair<std::string, std::string>(
                                              "propagation", "near")) != saved.settings.end())
        saved.result.propagation = Propagation::near;
    if (!file.has_digests())
        saved.result.notes.emplace_back(
            "the file has no digests (an older version wrote it): whether its arrays are as they "
            "were written is not known");
    saved.result.likelihoods = ptycho::likelihoods_of(saved.settings);
    return saved;
}

}  // namespace sluice::stem4d
