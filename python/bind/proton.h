// What protons' structs are in Python: numbers in a fixed order, dictionaries, and opaque objects.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "base/run.h"
#include "bind/arrays.h"
#include "bind/choices.h"
#include "bind/device.h"
#include "bind/work.h"
#include "domain/proton/words.h"
#include "sluice/proton.h"
#include "sluice/proton_base_data.h"
#include "sluice/proton_config.h"
#include "sluice/proton_plan.h"

namespace sluice::python {

using namespace nb::literals;

/// (name, density, electron_density, excitation_energy, scattering, nuclear)
using MaterialNumbers = std::tuple<std::string, double, double, double, double, double>;
MaterialNumbers numbers_of(proton::Material const& m);
proton::Material material_of(MaterialNumbers const& n);

/// In the order of Beam's fields.
using BeamNumbers = std::array<double, 8>;
BeamNumbers numbers_of(proton::Beam const& b);
proton::Beam beam_of(BeamNumbers const& n);

/// dz, range, dx, angle
using StepNumbers = std::array<double, 4>;
StepNumbers numbers_of(proton::Steps const& s);
proton::Steps steps_of(StepNumbers const& n);

/// A phantom of them; `map` none: the first material everywhere.
proton::Phantom phantom_of(std::vector<MaterialNumbers> const& materials, index planes,
                           index columns, double dz, double dx, double x0,
                           std::optional<Dense<std::uint16_t, 2>> const& map);
nb::dict dict_of(proton::Phantom const& p);
nb::dict dict_of(proton::MarchOptions const& o);
nb::dict dict_of(proton::DenseOptions const& o);
nb::dict dict_of(proton::Sobp const& s);
nb::dict dict_of(proton::Guard const& g);
nb::list list_of(std::vector<proton::Guard> const& guards);
nb::dict dict_of(proton::MarchResult r);
nb::dict dict_of(proton::BraggMetrics const& m);
nb::dict dict_of(proton::BaseEnergy b);
nb::dict dict_of(proton::IonPlan const& p);

/// What metrics read of a result that came back as its parts.
proton::MarchResult result_of(nb::dict const& d);

/// Weight and energy of each channel, then energies: the order of Ledger's fields.
inline constexpr std::size_t ledger_numbers = 26;
std::array<double, ledger_numbers> numbers_of(proton::Ledger const& l);
proton::Ledger ledger_of(std::span<double const> numbers);

/// [n] numbers f(i), without the GIL; Ctrl-C ends it.
template <class F>
nb::object each(std::size_t n, F const& f) {
    return to_numpy(work(nb::none(), [&](Telling& telling) -> Result<std::vector<double>> {
        std::vector<double> out;
        out.reserve(n);
        for (std::size_t i = 0; i < n; ++i) {
            if (i % 4096 == 0 && !telling.wanted()) return cancelled();
            out.push_back(f(i));
        }
        return out;
    }));
}

void add_proton_dense(nb::module_& m);
void add_proton_dose(nb::module_& m);
void add_proton_machine(nb::module_& m);
void add_proton_metrics(nb::module_& m);
void add_proton_plan(nb::module_& m);
void add_proton_structures(nb::module_& m);
void add_proton_target(nb::module_& m);
void add_proton_volume(nb::module_& m);

}  // namespace sluice::python
