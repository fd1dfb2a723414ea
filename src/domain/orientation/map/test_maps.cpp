// Made-up orientation maps.
// SPDX-License-Identifier: Apache-2.0
#include "domain/orientation/map/test_maps.h"

#include <fmt/format.h>

#include <cmath>

#include "sluice/structure_factors.h"

namespace sluice::orient {
namespace {

using stem4d::CrystalPhase;
using stem4d::Orientation;
using stem4d::OrientationReason;

CrystalPhase phase_of(std::string const& name, std::string const& cell, std::string const& atom) {
    CrystalPhase out;
    out.name = name;
    out.cell = stem4d::parse_cif(fmt::format("data_{}\n{}\nloop_\n_atom_site_type_symbol\n"
                                             "_atom_site_fract_x\n_atom_site_fract_y\n"
                                             "_atom_site_fract_z\n_atom_site_B_iso_or_equiv\n{}\n",
                                             name, cell, atom))
                   .value();
    out.symmetry = stem4d::symmetry_of(out.cell).value();
    return out;
}

Orientation turned_a_bit(Orientation const& g, double degrees, std::mt19937& random) {
    std::normal_distribution<double> normal;
    double const x = normal(random), y = normal(random);
    Orientation const small =
        stem4d::rotation_about({x, y, normal(random)}, degrees * normal(random));
    return small * g;
}

}  // namespace

Orientation random_orientation(std::mt19937& random) {
    std::normal_distribution<double> normal;
    Orientation q;
    q.w = normal(random), q.x = normal(random), q.y = normal(random), q.z = normal(random);
    double const n = std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    return {q.w / n, q.x / n, q.y / n, q.z / n};
}

std::vector<CrystalPhase> test_phases() {
    return {phase_of("Aluminium",
                     "_cell_length_a 4.0495 _cell_length_b 4.0495 _cell_length_c 4.0495 "
                     "_cell_angle_alpha 90 _cell_angle_beta 90 _cell_angle_gamma 90 "
                     "_symmetry_space_group_name_H-M 'F m -3 m'",
                     "Al 0 0 0 0.8"),
            phase_of("Titanium",
                     "_cell_length_a 2.951 _cell_length_b 2.951 _cell_length_c 4.684 "
                     "_cell_angle_alpha 90 _cell_angle_beta 90 _cell_angle_gamma 120 "
                     "_symmetry_space_group_name_H-M 'P 63/m m c'",
                     "Ti .33333 .66667 .25 0.5")};
}

GrainyMap grainy_map(index rows, index cols, int places, double noise, unsigned number) {
    std::mt19937 random(number);
    std::uniform_real_distribution<double> part(0, 1);
    GrainyMap out;
    std::vector<std::array<double, 2>> at;
    std::vector<std::int32_t> phase;
    for (int i = 0; i < places; ++i) {
        double const row = part(random) * static_cast<double>(rows);
        at.push_back({row, part(random) * static_cast<double>(cols)});
        out.truth.push_back(random_orientation(random));
        phase.push_back(i % 3 == 2 ? 1 : 0);
    }
    stem4d::OrientationMap& m = out.map;
    m.scan_shape = {rows, cols};
    m.step_nm = 5;
    m.phases = test_phases();
    for (index r = 0; r < rows; ++r)
        for (index c = 0; c < cols; ++c) {
            std::size_t best = 0;
            for (std::size_t i = 1; i < at.size(); ++i)
                if (std::hypot(at[i][0] - static_cast<double>(r),
                               at[i][1] - static_cast<double>(c)) <
                    std::hypot(at[best][0] - static_cast<double>(r),
                               at[best][1] - static_cast<double>(c)))
                    best = i;
            auto const& rotations =
                m.phases[static_cast<std::size_t>(phase[best])].symmetry.rotations;
            auto const any = static_cast<std::size_t>(part(random) * 0.999 *
                                                      static_cast<double>(rotations.size()));
            bool const good = part(random) > 0.05;
            out.seed.push_back(static_cast<int>(best));
            m.reason.push_back(good ? OrientationReason::indexed : OrientationReason::unreliable);
            m.phase.push_back(phase[best]);
            m.orientation.push_back(good ? rotations[any] *
                                               turned_a_bit(out.truth[best], noise, random)
                                         : random_orientation(random));
            m.covariance.push_back({1e-6, 1e-6, 4e-6, 0, 0, 0});
            m.score.push_back(0.75f);
            m.second_score.push_back(0.5f);
            m.residual.push_back(0.002f);
            m.explained.push_back(0.875f);
            m.disks.push_back(17);
            m.probability.push_back(good ? 0.99f : 0.25f);
        }
    m.notes = {"made up for a test"};
    return out;
}

}  // namespace sluice::orient
