// matRad's base data as a machine: depth doses in water, and beams by their widths in air.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "domain/proton/machine/energy.h"
#include "domain/proton/machine/files.h"
#include "domain/proton/machine/focus.h"
#include "domain/proton/machine/kernel.h"
#include "format/mat/mat.h"

namespace sluice::proton {
namespace {

using mat::Kind;
using Numbers = std::vector<double>;

/// A structure of the file, by what errors call it.
class MatRecord {
  public:
    MatRecord(mat::Value const& of, index at, std::string name, std::string const& file)
        : of_(&of), at_(at), name_(std::move(name)), file_(&file) {}

    Error wrong(std::string_view field, std::string_view text) const {
        return {Code::invalid_argument,
                fmt::format("{}{}{} {}", name_, field.empty() ? "" : ".", field, text), *file_};
    }
    mat::Value const* find(std::string_view field) const {
        mat::Value const* const v = of_->field(field, at_);
        return v && v->count() > 0 ? v : nullptr;
    }
    Result<mat::Value const*> array(std::string_view field) const {
        mat::Value const* const v = find(field);
        if (!v) return wrong(field, "is missing; add it");
        if (v->kind != Kind::numbers) return wrong(field, "is not numbers; give some");
        return v;
    }
    Result<Numbers> numbers(std::string_view field) const {
        SLUICE_TRY(mat::Value const* const v, array(field));
        return v->numbers;
    }
    Result<double> number(std::string_view field) const {
        SLUICE_TRY(mat::Value const* const v, array(field));
        if (v->numbers.size() != 1 || !std::isfinite(v->numbers[0]))
            return wrong(field, "is not one number; give one");
        return v->numbers[0];
    }
    Result<double> number_or(std::string_view field, double otherwise) const {
        if (!find(field)) return otherwise;
        return number(field);
    }
    std::string text(std::string_view field) const {
        mat::Value const* const v = find(field);
        return v && v->kind == Kind::text ? v->text : std::string();
    }
    /// Of one structure.
    Result<MatRecord> record(std::string_view field) const {
        mat::Value const* const v = find(field);
        if (!v) return wrong(field, "is missing; add it");
        if (v->kind != Kind::structures || v->count() != 1)
            return wrong(field, "is not one structure; give one");
        return MatRecord(*v, 0, fmt::format("{}.{}", name_, field), *file_);
    }

  private:
    mat::Value const* of_;
    index at_;
    std::string name_;
    std::string const* file_;
};

/// What all energies share, and what is told of them afterwards.
struct MatFacts {
    double source = 0, plane = 0;
    std::optional<double> least_fwhm;  ///< of the closest spots
    index foci = 1;
    bool emittance = false;
    std::size_t without_spectrum = 0, without_let = 0, late = 0;
    double residual = 0, residual_at = 0, residual_energy = 0;
    double from = 0, to = 0;  ///< of the widths that were fitted, above the isocentre
};

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

// As matRad takes it: the first one that is wider than the table says.
Result<std::size_t> focus_row(MatRecord const& focus, std::size_t rows, MatFacts const& facts) {
    if (!facts.least_fwhm || !focus.find("SisFWHMAtIso")) return std::size_t{0};
    SLUICE_TRY(Numbers const fwhm, focus.numbers("SisFWHMAtIso"));
    for (std::size_t i = 0; i < std::min(rows, fwhm.size()); ++i)
        if (fwhm[i] > *facts.least_fwhm) return i;
    return focus.wrong("SisFWHMAtIso",
                       fmt::format("has no width above the {:g} mm of the table of widths in meta; "
                                   "correct one of them",
                                   *facts.least_fwhm));
}

// Column by column, `rows` in each.
Numbers row_of(mat::Value const& v, std::size_t row) {
    auto const rows = static_cast<std::size_t>(v.sides[0]);
    Numbers out;
    for (std::size_t i = std::min(row, rows - 1); i < v.numbers.size(); i += rows)
        out.push_back(v.numbers[i]);
    return out;
}

// Near the way from the nozzle to behind the isocentre, if that leaves enough to see a parabola.
void keep_near(double plane, Numbers& z, Numbers& sigma) {
    constexpr std::size_t enough = 3;
    auto const near = [plane](double v) { return v >= 0 && v <= 2 * plane; };
    if (std::ranges::count_if(z, near) < static_cast<std::ptrdiff_t>(enough)) return;
    Numbers kept_z, kept_sigma;
    for (std::size_t i = 0; i < z.size(); ++i) {
        if (!near(z[i])) continue;
        kept_z.push_back(z[i]);
        kept_sigma.push_back(sigma[i]);
    }
    z = std::move(kept_z);
    sigma = std::move(kept_sigma);
}

Status check_widths(MatRecord const& record, Numbers const& dist, Numbers const& sigma) {
    if (sigma.empty() || dist.size() != sigma.size())
        return record.wrong("sigma", fmt::format("has {} widths for {} distances; give as many",
                                                 sigma.size(), dist.size()));
    for (std::size_t i = 0; i < dist.size(); ++i) {
        if (!(std::abs(dist[i]) <= 1e6) || (i > 0 && dist[i] <= dist[i - 1]))
            return record.wrong(
                "dist", fmt::format("has {} mm at place {}; distances ascend", dist[i], i + 1));
        if (!(sigma[i] > 0 && sigma[i] <= 1000))
            return record.wrong("sigma", fmt::format("has {} mm at place {}; give more than 0, at "
                                                     "most 1000",
                                                     sigma[i], i + 1));
    }
    return {};
}

Result<SpotGaussian> read_focus(MatRecord const& record, double energy, MatFacts& facts) {
    SLUICE_TRY(mat::Value const* const dist, record.array("dist"));
    SLUICE_TRY(mat::Value const* const sigma, record.array("sigma"));
    // A row for each focus; a column is one focus, written the other way.
    auto const rows = static_cast<std::size_t>(sigma->sides[1] == 1 ? 1 : sigma->sides[0]);
    SLUICE_TRY(std::size_t const row, focus_row(record, rows, facts));
    facts.foci = std::max(facts.foci, static_cast<index>(rows));
    Numbers z = dist->sides[1] == 1 ? dist->numbers : row_of(*dist, row);
    Numbers widths = rows == 1 ? sigma->numbers : row_of(*sigma, row);
    SLUICE_CHECK(check_widths(record, z, widths));
    for (double& v : z) v -= facts.source - facts.plane;
    keep_near(facts.plane, z, widths);
    facts.from = facts.plane - z.front();
    facts.to = facts.plane - z.back();
    Focus const f = focus_of(z, widths);
    if (std::abs(f.residual) > std::abs(facts.residual)) {
        facts.residual = f.residual;
        facts.residual_at = facts.plane - f.residual_at;
        facts.residual_energy = energy;
    }
    facts.emittance = facts.emittance || record.find("emittance") != nullptr;
    return SpotGaussian{.sigma = {f.sigma, f.sigma},
                        .divergence = {f.divergence, f.divergence},
                        .covariance = {f.covariance, f.covariance}};
}

// Two Gaussians, or one whose second has no weight.
Status read_widths(MatRecord const& record, BaseEnergy& k) {
    if (record.find("sigma1")) {
        SLUICE_TRY(k.sigma, record.numbers("sigma1"));
        SLUICE_TRY(k.halo_sigma, record.numbers("sigma2"));
        SLUICE_TRY(k.halo_weight, record.numbers("weight"));
        return {};
    }
    if (!record.find("sigma"))
        return record.wrong("",
                            "has neither sigma nor sigma1, sigma2 and weight; other kinds of "
                            "widths are not read");
    SLUICE_TRY(k.sigma, record.numbers("sigma"));
    k.halo_sigma = k.sigma;
    k.halo_weight.assign(k.sigma.size(), 0);
    return {};
}

// Depths begin at the surface: what lies before it is cut off there, and what is missing is held.
void begin_at_surface(BaseEnergy& k, MatFacts& facts) {
    if (k.depth.front() == 0) return;
    auto const first = std::ranges::lower_bound(k.depth, 0.0) - k.depth.begin();
    if (first == std::ssize(k.depth)) return;
    facts.late += first == 0;
    bool const cut = first > 0 && k.depth[static_cast<std::size_t>(first)] > 0;
    double const part = cut ? -k.depth[static_cast<std::size_t>(first - 1)] /
                                  (k.depth[static_cast<std::size_t>(first)] -
                                   k.depth[static_cast<std::size_t>(first - 1)])
                            : 0;
    for (auto* const v : {&k.dose, &k.sigma, &k.halo_sigma, &k.halo_weight, &k.let, &k.depth}) {
        if (v->empty()) continue;
        double const at = v == &k.depth ? 0
                          : cut         ? (*v)[static_cast<std::size_t>(first - 1)] * (1 - part) +
                                      (*v)[static_cast<std::size_t>(first)] * part
                                : v->front();
        v->erase(v->begin(), v->begin() + first);
        if (cut || first == 0) v->insert(v->begin(), at);
    }
}

Status read_kernel(MatRecord const& record, MachineEnergy& e, MatFacts& facts) {
    BaseEnergy& k = e.kernel;
    k.energy = e.mean;
    k.energy_spread = e.spread;
    SLUICE_TRY(k.depth, record.numbers("depths"));
    SLUICE_TRY(k.dose, record.numbers("Z"));
    SLUICE_CHECK(read_widths(record, k));
    if (record.find("LET")) {
        SLUICE_TRY(k.let, record.numbers("LET"));
    } else {
        ++facts.without_let;
    }
    SLUICE_TRY(double const offset, record.number_or("offset", 0));
    SLUICE_TRY(double const peak, record.number("peakPos"));
    k.peak = peak + offset;
    std::size_t const n = k.depth.size();
    for (auto const* const v : {&k.dose, &k.sigma, &k.halo_sigma, &k.halo_weight})
        if (v->size() != n)
            return record.wrong("", fmt::format("has {} depths and {} values beside them; give as "
                                                "many",
                                                n, v->size()));
    if (!k.let.empty() && k.let.size() != n)
        return record.wrong("",
                            fmt::format("has {} depths and {} LET; give as many", n, k.let.size()));
    for (double& d : k.depth) d += offset;
    if (!std::ranges::is_sorted(k.depth) || n < 2)
        return record.wrong("depths", "are no two depths that ascend; correct them");
    begin_at_surface(k, facts);
    auto const range = range_of(k);
    if (!range) return record.wrong("Z", "does not fall to 80 % behind its peak; give more depths");
    k.range = *range;
    return {};
}

Result<MachineEnergy> read_energy(MatRecord const& record, MatFacts& facts) {
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
        SLUICE_TRY(MachineEnergy e, read_energy(record, facts));
        if (auto s = check_order(m.energies, e); !s)
            return record.wrong("", "is wrong: " + s.error().message);
        m.energies.push_back(std::move(e));
    }
    add_notes(facts, m);
    if (air != 0)
        m.notes.push_back(
            fmt::format("The depth doses lie behind {:g} mm of air (fitAirOffset).", air));
    SLUICE_CHECK(check_machine(m, name));
    return m;
}

}  // namespace sluice::proton
