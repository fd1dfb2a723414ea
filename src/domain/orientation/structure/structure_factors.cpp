// structure_factors: the sum over the atoms of a cell, for all reflections up to a frequency.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/structure_factors.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <numbers>

#include "domain/crystal/cif/metric.h"
#include "domain/crystal/gemmi/tables.h"
#include "domain/orientation/vectors.h"

namespace sluice::orient {
namespace {

using stem4d::Atom;
using stem4d::StructureFactor;
using stem4d::UnitCell;

// Where the table of form factors ends.
constexpr double table_end = 4;
// Of |F| over the sum of all atoms: what is below is absent, since places are rounded in files.
constexpr double least_part = 1e-3;

// An element with a temperature factor: atoms alike share what does not depend on their places.
struct Kind {
    crystal::FormFactor factor;
    double b_iso = 0, now = 0;
};

class Atoms {
  public:
    static Result<Atoms> of(UnitCell const& cell);
    // The amplitude, and the sum that it would be with all atoms in phase.
    std::pair<std::complex<double>, double> at(stem4d::Indices const& h, double frequency);

  private:
    std::vector<Kind> kinds_;
    std::vector<std::pair<Atom, std::size_t>> atoms_;
};

std::string all_of(std::vector<std::string> const& notes) {
    std::string out;
    for (std::string const& note : notes) out += "; " + note;
    return out;
}

Result<Atoms> Atoms::of(UnitCell const& cell) {
    if (cell.atoms.empty())
        return Error{Code::invalid_argument,
                     fmt::format("the crystal '{}' has no atoms (structure factors are sums over "
                                 "them{}); give a CIF with its atoms",
                                 cell.name, all_of(cell.notes))};
    Atoms out;
    std::map<std::pair<int, double>, std::size_t> known;
    for (Atom const& atom : cell.atoms) {
        auto const [at, is_new] = known.try_emplace({atom.number, atom.b_iso}, out.kinds_.size());
        if (is_new) {
            auto const factor = crystal::FormFactor::of(atom.number);
            if (!factor)
                return Error{Code::unsupported,
                             fmt::format("element {} of the crystal '{}' has no form factor (the "
                                         "International Tables have 1 to 98, neutral); take "
                                         "another element in its place",
                                         atom.number, cell.name)};
            out.kinds_.push_back({*factor, atom.b_iso});
        }
        out.atoms_.emplace_back(atom, at->second);
    }
    return out;
}

std::pair<std::complex<double>, double> Atoms::at(stem4d::Indices const& h, double frequency) {
    double const s2 = frequency * frequency / 4;
    for (Kind& kind : kinds_) kind.now = kind.factor.at(frequency) * std::exp(-kind.b_iso * s2);
    std::complex<double> sum;
    double all = 0;
    for (auto const& [atom, kind] : atoms_) {
        double const f = kinds_[kind].now * atom.occupancy;
        double const turns = h[0] * atom.place[0] + h[1] * atom.place[1] + h[2] * atom.place[2];
        sum += std::polar(f, 2 * std::numbers::pi * turns);
        all += f;
    }
    return {sum, all};
}

}  // namespace
}  // namespace sluice::orient

namespace sluice::stem4d {

Result<std::vector<StructureFactor>> structure_factors(UnitCell const& cell,
                                                       double most_frequency) {
    if (most_frequency > orient::table_end)
        return Error{Code::invalid_argument,
                     fmt::format("structure factors up to {:g} 1/Å (form factors are known up to "
                                 "4); give a lower frequency",
                                 most_frequency)};
    SLUICE_TRY(auto const allowed, crystal::allowed_reflections(cell, most_frequency));
    SLUICE_TRY(auto atoms, orient::Atoms::of(cell));
    auto const [a, b, c] = reciprocal_axes_of(cell);
    std::vector<StructureFactor> out;
    for (auto const& [hkl, frequency] : allowed) {
        auto const [amplitude, all] = atoms.at(hkl, frequency);
        if (!(std::abs(amplitude) > orient::least_part * all)) continue;
        Vector3 const g = orient::sum(orient::sum(orient::scaled(a, hkl[0]),  //
                                                  orient::scaled(b, hkl[1])),
                                      orient::scaled(c, hkl[2]));
        out.push_back({hkl, g, frequency, amplitude});
    }
    return out;
}

}  // namespace sluice::stem4d
