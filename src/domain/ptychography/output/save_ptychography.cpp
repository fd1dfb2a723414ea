// save_ptychography(): a result as HDF5, for h5py by plain names and for programs that read CXI.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/checkpoint/digested.h"
#include "domain/ptychography/output/result_kind.h"
#include "format/kinds/ptychography.h"
#include "sluice/ptychography_file.h"
#include "sluice/save.h"

namespace sluice::ptycho {

namespace {

using stem4d::Position;
using stem4d::PtychographyResult;
using stem4d::PtychographyRound;

template <class T>
Hdf5Dataset planes(std::string name, std::string unit, DType dtype, Array<T> const& array) {
    return hdf5_dataset(std::move(name), std::move(unit),
                        {dtype, array.shape, std::as_bytes(std::span(array.values))});
}

// Small enough to be kept by the entry.
template <class T>
Hdf5Dataset kept(std::string name, std::string unit, DType dtype, std::vector<index> shape,
                 std::vector<T> values) {
    Hdf5Dataset d{.name = std::move(name),
                  .unit = std::move(unit),
                  .dtype = dtype,
                  .shape = std::move(shape)};
    d.piece = [values = std::move(values)](index) { return std::as_bytes(std::span(values)); };
    return d;
}

Hdf5Dataset numbers(std::string name, std::string unit, std::vector<double> values) {
    index const count = std::ssize(values);
    return kept(std::move(name), std::move(unit), DType::f64, {count}, std::move(values));
}

Hdf5Dataset number(std::string name, std::string unit, double value) {
    return kept(std::move(name), std::move(unit), DType::f64, {}, std::vector{value});
}

constexpr char const* object_pixels = "pixels of the object";

// [pattern][row, col].
Hdf5Dataset places(std::string name, std::string unit, std::vector<Position> const& positions) {
    std::vector<double> values;
    for (Position const& p : positions) values.insert(values.end(), {p.row, p.col});
    return kept(std::move(name), std::move(unit), DType::f64, {std::ssize(positions), 2},
                std::move(values));
}

// Arrays that only some reconstructions have.
void add_refined(PtychographyResult const& r, std::vector<Hdf5Entry>& entries) {
    if (!r.started.empty()) entries.emplace_back(places("started", object_pixels, r.started));
    if (!r.opr_modes.values.empty())
        entries.emplace_back(planes("opr_modes", "", DType::c64, r.opr_modes));
    if (!r.opr_weights.values.empty())
        entries.emplace_back(planes("opr_weights", "", DType::f64, r.opr_weights));
    if (!r.descan.empty())
        entries.emplace_back(places("descan", "pixels of the patterns", r.descan));
    if (!r.background.values.empty())
        entries.emplace_back(planes("background", "counts", DType::f32, r.background));
}

void add_rounds(std::vector<PtychographyRound> const& rounds, std::vector<Hdf5Entry>& entries) {
    auto const column = [&](std::string const& name, std::string unit, auto value_of) {
        std::vector<double> values;
        for (auto const& round : rounds) values.push_back(static_cast<double>(value_of(round)));
        entries.emplace_back(numbers("rounds/" + name, std::move(unit), std::move(values)));
    };
    column("stage", "", [](auto const& r) { return r.stage + 1; });
    column("r", "", [](auto const& r) { return r.r; });
    column("r_intensity", "", [](auto const& r) { return r.r_intensity; });
    column("loss", "", [](auto const& r) { return r.loss; });
    column("seconds", "s", [](auto const& r) { return r.seconds; });
}

std::vector<Hdf5Entry> with_digests(std::vector<Hdf5Entry> entries) {
    std::vector<Hdf5Entry> all;
    for (auto& entry : entries)
        if (auto* const array = std::get_if<Hdf5Dataset>(&entry))
            add_digested(std::move(*array), all);
        else
            all.push_back(std::move(entry));
    return all;
}

}  // namespace

}  // namespace sluice::ptycho

namespace sluice::stem4d {

Status save_ptychography(std::string const& path, PtychographyResult const& result, double pixel_nm,
                         double wavelength_nm, SettingTexts const& settings,
                         Provenance const& provenance) {
    if (!(pixel_nm > 0)) pixel_nm = result.pixel_nm;
    std::vector<Hdf5Entry> entries = {
        ptycho::planes("object", "", DType::c64, result.object),
        ptycho::planes("probe", "sqrt(counts)", DType::c64, result.probe),
        ptycho::places("positions", ptycho::object_pixels, result.positions),
        ptycho::numbers("shift", ptycho::object_pixels, {result.shift.row, result.shift.col}),
        ptycho::numbers("mode_powers", "", result.mode_powers),
        ptycho::numbers("probe_moved", ptycho::object_pixels,
                        {result.probe_moved.row, result.probe_moved.col}),
        ptycho::number("probe_power", "", result.probe_power),
        ptycho::number("slice_nm", "nm", result.slice_nm),
        ptycho::numbers("tilt_mrad", "mrad", {result.tilt_row_mrad, result.tilt_col_mrad}),
        ptycho::number("poisson_floor", "", result.floor),
        ptycho::number("memory_bytes", "", static_cast<double>(result.memory)),
        ptycho::number("pixel_nm", "nm", pixel_nm),
        ptycho::number("wavelength_nm", "nm", wavelength_nm),
        ptycho::number("near_field", "", result.propagation == Propagation::near ? 1 : 0),
        ptycho::kept("cxi_version", "", DType::i32, {}, std::vector<std::int32_t>{160}),
        Hdf5Link{"entry_1/image_1/data", "/object"},
        Hdf5Text{"entry_1/image_1/data_space", "real"},
        Hdf5Text{"entry_1/image_1/data_type", "transmission of the object"},
        Hdf5Link{"entry_1/image_2/data", "/probe"},
        Hdf5Text{"entry_1/image_2/data_space", "real"},
        Hdf5Text{"entry_1/image_2/data_type", "wave of the probe"},
        Hdf5Link{"entry_1/data_1/data", "/object"},
    };
    // CXI has no word for unknown values, so they are left out.
    if (pixel_nm > 0)
        for (char const* const image : {"entry_1/image_1/", "entry_1/image_2/"})
            for (char const* const axis : {"x_pixel_size", "y_pixel_size"})
                entries.emplace_back(
                    ptycho::number(std::string(image) + axis, "m", pixel_nm * 1e-9));
    if (wavelength_nm > 0)
        entries.emplace_back(
            ptycho::number("entry_1/instrument_1/source_1/wavelength", "m", wavelength_nm * 1e-9));
    ptycho::add_refined(result, entries);
    ptycho::add_rounds(result.rounds, entries);
    Provenance about = provenance;
    about.add("kind", result_kind);
    about.add(ptycho::digests_attribute, "1");
    for (auto const& [name, value] : settings) about.add(ptycho::setting_prefix + name, value);
    for (std::string const& note : result.notes) about.add("note", note);
    return save_hdf5(path, ptycho::with_digests(std::move(entries)), about);
}

SettingTexts all_settings(PtychographyOptions const& options,
                          std::vector<Likelihood> const& likelihoods) {
    SettingTexts all = settings_of(options);
    for (std::size_t s = 0; s < options.stages.size(); ++s) {
        PtychographyStage stage = options.stages[s];
        if (s < likelihoods.size()) stage.likelihood = likelihoods[s];
        for (auto const& [name, value] : settings_of(stage))
            all.emplace_back("stage " + std::to_string(s + 1) + " " + name, value);
    }
    return all;
}

}  // namespace sluice::stem4d
