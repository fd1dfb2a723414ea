// matRad's base data as a machine: depth doses in water, and beams by their widths in air.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/machine/matrad.h"

#include <fmt/format.h>

#include <cmath>

#include "domain/proton/machine/energy.h"
#include "domain/proton/machine/files.h"

namespace sluice::proton {
namespace {

using mat::Kind;

Result<std::optional<double>> least_fwhm_of(MatRecord const& meta) {
    for (char const* const name : {"LUT_bxWidthminFWHM", "LUTspotSize"}) {
        if (!meta.find(name)) continue;
        SLUICE_TRY(mat::Value const* const v, meta.array(name));
        // Rows of spacings and widths, in ascending order.
        if (v->numbers.size() < 2 || v->sides[0] != 2)
            return meta.wrong(name, "is not two rows; give spacings and widths");
        return std::optional(v->numbers[1]);
    }
    return std::optional<double>();
}

Result<MachineEnergy> read_mat_energy(MatRecord const& record, MatFacts& facts) {
    MachineEnergy e;
    SLUICE_TRY(e.nominal, record.number("energy"));
    e.mean = e.nominal;
    if (record.find("energySpectrum")) {
        SLUICE_TRY(MatRecord const spectrum, record.record("energySpectrum"));
        SLUICE_TRY(e.mean, spectrum.number("mean"));
        SLUICE_TRY(double const percent, spectrum.number("sigma"));
        e.spread = percent / 100 * e.mean;
    } else {
        ++facts.without_spectrum;
    }
    SLUICE_TRY(MatRecord const focus, record.record("initFocus"));
    SLUICE_TRY(e.spots.emplace_back(), read_focus(focus, e.nominal, facts));
    SLUICE_CHECK(read_kernel(record, e, facts));
    if (auto s = check_energy(e); !s) return record.wrong("", "has " + s.error().message);
    return e;
}

std::string height_of(double above) {
    if (above == 0) return "at the isocentre";
    return fmt::format("{:g} mm {} the isocentre", std::abs(above), above > 0 ? "above" : "below");
}

void add_notes(MatFacts const& f, Machine& m) {
    auto const note = [&](std::string text) { m.notes.push_back(std::move(text)); };
    note(fmt::format(
        "Widths of initFocus in air, {} to {}, became moments {}, and {}.", height_of(f.from),
        height_of(f.to), height_of(f.plane),
        std::abs(f.residual) > 1e-6
            ? fmt::format("differ from them by up to {:.2g} mm ({:g} MeV, {})",
                          std::abs(f.residual), f.residual_energy, height_of(f.residual_at))
            : std::string("are the same")));
    if (f.foci > 1)
        note(
            fmt::format("Each energy has {} widths; the first one is taken that is wider than "
                        "{:g} mm (FWHM at the isocentre), as matRad takes it for the closest "
                        "spots.",
                        f.foci, f.least_fwhm.value_or(0)));
    if (f.emittance)
        note("The emittances for Monte Carlo codes are not used; the widths of initFocus are.");
    note("The file does not say how many protons a monitor unit is.");
    if (f.without_spectrum > 0)
        note(
            fmt::format("Of {} energies the file has no spectrum: their mean is the nominal "
                        "energy, and their spread is in the depth doses only.",
                        f.without_spectrum));
    if (f.without_let > 0) note(fmt::format("Of {} energies the file has no LET.", f.without_let));
    if (f.late > 0)
        note(
            fmt::format("The depth doses of {} energies begin behind the surface; their first "
                        "values count from there.",
                        f.late));
}

}  // namespace

Result<Machine> machine_of_mat(Bytes bytes, std::string const& name) {
    SLUICE_TRY(mat::Value const root, mat::read_variable(bytes, "machine", name));
    if (root.kind != Kind::structures || root.count() != 1)
        return Error{Code::unsupported,
                     "has a machine that is no structure; give base data of "
                     "matRad",
                     name};
    MatRecord const machine(root, 0, "machine", name);
    SLUICE_TRY(MatRecord const meta, machine.record("meta"));
    if (std::string const mode = meta.text("radiationMode"); mode != "protons")
        return Error{Code::unsupported,
                     fmt::format("is a machine of '{}' (protons are read); give another", mode),
                     name};
    MatFacts facts;
    SLUICE_TRY(facts.source, meta.number("SAD"));
    SLUICE_TRY(facts.plane, meta.number("BAMStoIsoDist"));
    SLUICE_TRY(facts.least_fwhm, least_fwhm_of(meta));
    SLUICE_TRY(double const air, meta.number_or("fitAirOffset", 0));
    Machine m{.name = meta.text("machine"),
              .source = {facts.source, facts.source},
              .plane = facts.plane,
              .air_included = true};
    mat::Value const* const data = machine.find("data");
    if (!data || data->kind != Kind::structures)
        return machine.wrong("data", "is missing, or no structures; give one for each energy");
    for (index i = 0; i < data->count(); ++i) {
        MatRecord const record(*data, i, fmt::format("machine.data({})", i + 1), name);
        SLUICE_TRY(MachineEnergy e, read_mat_energy(record, facts));
        if (auto s = check_order(m.energies, e); !s)
            return record.wrong("", "is wrong: " + s.error().message);
        m.energies.push_back(std::move(e));
    }
    add_notes(facts, m);
    m.kernel_air = air;
    m.notes.push_back(fmt::format(
        "The depth doses have {:g} mm of air before their water; the rest of the air between the "
        "plane and the patient shortens ranges by 0.0011 of its length, as matRad has it.",
        air));
    SLUICE_CHECK(check_machine(m, name));
    return m;
}

}  // namespace sluice::proton
