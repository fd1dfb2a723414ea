// Builds a library: reflections of each phase, zones in cells, the spectrum of every zone.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <chrono>

#include "device/per_isa.h"
#include "device/per_worker.h"
#include "device/share_out.h"
#include "domain/orientation/library/cells.h"
#include "domain/orientation/library/check.h"
#include "domain/orientation/library/library.h"

namespace sluice::stem4d {
namespace {

using orient::Vector3;
using orient::zones_of_tile;
using State = OrientationLibrary::State;

// Zones farther apart than this hide maxima between them (measured).
constexpr double coarse_degrees = 4;
// Of |F|^2 of the strongest reflection, whatever the zone.
constexpr double least_strength = 1e-6;

// Weaker reflections are beyond what is looked at.
double least_envelope(LibraryOptions const& options) {
    return std::max(1e-6, options.least_intensity);
}

// The sample's -z along the direction, its x wherever.
Orientation zone_at(Vector3 const& direction) {
    Vector3 const z = orient::scaled(orient::unit(direction), -1);
    Vector3 const far = std::abs(z[0]) < 0.8 ? Vector3{1, 0, 0} : Vector3{0, 1, 0};
    Vector3 const y = orient::unit(orient::cross(z, far)), x = orient::cross(y, z);
    return from_matrix({{{x[0], y[0], z[0]}, {x[1], y[1], z[1]}, {x[2], y[2], z[2]}}});
}

Status add_zones(index phase, State& state) {
    auto const& symmetry = state.phases[static_cast<std::size_t>(phase)].symmetry;
    double const step = state.options.zone_step;
    SLUICE_TRY(auto const fine, sector_directions(symmetry, step));
    SLUICE_TRY(auto const coarse, sector_directions(symmetry, std::max(step, coarse_degrees)));
    for (auto const& cell : orient::cells_of(fine, coarse)) {
        index const tiles =
            state.cells.empty() ? 0 : state.cells.back().first_tile + state.cells.back().tiles();
        state.cells.push_back({phase, std::ssize(state.zones), std::ssize(cell), tiles});
        for (index const i : cell) {
            state.zones.push_back(zone_at(fine[static_cast<std::size_t>(i)]));
            state.phase_of.push_back(phase);
        }
    }
    return {};
}

struct Room {
    orient::Excited excited;
    std::vector<float> weight, sums, spectrum;
};

void spectrum_of(State const& state, orient::MatchKernels const& kernels, index phase,
                 Orientation const& zone, Room& room) {
    auto const& o = state.options;
    orient::Excited& e = room.excited;
    state.excite(phase, zone, e);
    room.weight.resize(e.x.size());
    for (std::size_t i = 0; i < e.x.size(); ++i)
        room.weight[i] = static_cast<float>(orient::weight_of(o, e.x[i], e.y[i], e.intensity[i]));
    room.sums.resize(static_cast<std::size_t>(state.polar.rings() * 2 * orient::most_frequencies));
    room.spectrum.resize(static_cast<std::size_t>(state.polar.spectrum_floats()));
    kernels.spectrum(state.polar.view(), {e.x.data(), e.y.data(), room.weight.data(), e.size()},
                     room.sums.data(), room.spectrum.data());
}

void put(std::vector<float> const& spectrum, index terms, index zone, float* tile) {
    for (index t = 0; t < terms; ++t)
        for (index i = 0; i < 2; ++i)
            tile[2 * (t * zones_of_tile + zone) + i] =
                spectrum[static_cast<std::size_t>(2 * t + i)];
}

Status add_spectra(State& state, Options const& run) {
    auto const& kernels = table_for(run.device.host(), orient::match_twin(), orient::match_kernels);
    index const floats = state.tile_floats(), terms = state.polar.terms();
    orient::Cell const& last = state.cells.back();
    state.fine = crystal::AlignedFloats((last.first_tile + last.tiles()) * floats);
    state.coarse = crystal::AlignedFloats(state.coarse_tiles() * floats);
    int const threads = run.device.host().threads();
    PerWorker<Room> rooms(threads);
    Run work(run.progress, std::ssize(state.zones), "there is no library");
    share_out(std::ssize(state.cells), threads, &work, [&](index c, int worker) {
        orient::Cell const& cell = state.cells[static_cast<std::size_t>(c)];
        Room& room = rooms[worker];
        for (index z = 0; z < cell.zones; ++z) {
            spectrum_of(state, kernels, cell.phase,
                        state.zones[static_cast<std::size_t>(cell.first_zone + z)], room);
            index const tile = cell.first_tile + z / zones_of_tile;
            put(room.spectrum, terms, z % zones_of_tile, state.fine.data() + tile * floats);
            if (z == 0)
                put(room.spectrum, terms, c % zones_of_tile,
                    state.coarse.data() + c / zones_of_tile * floats);
        }
        work.done(cell.zones);
    });
    return work.check();
}

std::string phase_note(State const& state, std::size_t p) {
    auto const& phase = state.phases[p];
    index zones = 0;
    for (auto const& cell : state.cells)
        if (cell.phase == static_cast<index>(p)) zones += cell.zones;
    return fmt::format("{}: Laue class {}, {} reflections, {} zones", phase.name,
                       name_of(phase.symmetry.laue), state.tables[p].size(), zones);
}

}  // namespace

std::uint64_t OrientationLibrary::State::bytes() const {
    std::uint64_t sum = static_cast<std::uint64_t>(fine.size() + coarse.size()) * sizeof(float) +
                        zones.size() * sizeof(Orientation);
    for (auto const& t : tables)
        sum += static_cast<std::uint64_t>(t.size()) * (7 * sizeof(float) + sizeof(Indices));
    return sum;
}

void OrientationLibrary::State::excite(index phase, Orientation const& g,
                                       orient::Excited& out) const {
    auto const p = static_cast<std::size_t>(phase);
    orient::excite(tables[p], heights[p], ewald, orient::frame_of(g), options.least_intensity, out);
}

Result<OrientationLibrary> OrientationLibrary::build(std::span<UnitCell const> phases,
                                                     LibraryOptions const& options,
                                                     Options const& run) {
    SLUICE_CHECK(orient::check_library(phases, options));
    auto const begin = std::chrono::steady_clock::now();
    auto const& o = options;
    // Disks a little beyond the last reflection overlap with it.
    auto state =
        std::make_shared<State>(State{.options = o,
                                      .ewald = {o.kilovolts, o.excitation_sigma, o.precession_mrad},
                                      .polar = {o.match_width, o.most_frequency + o.match_width}});
    for (index p = 0; p < std::ssize(phases); ++p) {
        UnitCell const& cell = phases[static_cast<std::size_t>(p)];
        SLUICE_TRY(auto symmetry, symmetry_of(cell));
        SLUICE_TRY(auto table, orient::reflection_table(cell, o.most_frequency, least_strength));
        state->phases.push_back({orient::phase_name(phases, p), cell, std::move(symmetry)});
        state->heights.push_back(orient::heights_of(table, state->ewald, least_envelope(o)));
        state->tables.push_back(std::move(table));
        SLUICE_CHECK(add_zones(p, *state));
    }
    SLUICE_CHECK(add_spectra(*state, run));
    for (std::size_t p = 0; p < state->phases.size(); ++p)
        state->notes.push_back(phase_note(*state, p));
    state->notes.push_back(
        "patterns are kinematic: thickness and dynamical scattering are not modelled");
    state->build_seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return OrientationLibrary(std::move(state));
}

std::vector<CrystalPhase> const& OrientationLibrary::phases() const {
    return state_->phases;
}
LibraryOptions const& OrientationLibrary::options() const {
    return state_->options;
}
index OrientationLibrary::zones() const {
    return std::ssize(state_->zones);
}
index OrientationLibrary::zones(index phase) const {
    index n = 0;
    for (auto const& cell : state_->cells)
        if (cell.phase == phase) n += cell.zones;
    return n;
}
std::uint64_t OrientationLibrary::bytes() const {
    return state_->bytes();
}
double OrientationLibrary::build_seconds() const {
    return state_->build_seconds;
}
std::vector<std::string> const& OrientationLibrary::notes() const {
    return state_->notes;
}

}  // namespace sluice::stem4d
