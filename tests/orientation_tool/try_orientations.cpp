// try_orientations NUMBERS OUT CIF...: makes an orientation map of numbers in a text, and saves it.
// NUMBERS: rows, columns, step in nm, kV; then for each pattern its phase (-1: not indexed), w, x,
// y, z. SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <fstream>

#include "sluice/orientation_file.h"
#include "sluice/structure_factors.h"

namespace {

using namespace sluice;
using namespace sluice::stem4d;

void add_pattern(std::istream& in, OrientationMap& m) {
    std::int32_t phase = -1;
    Orientation g;
    in >> phase >> g.w >> g.x >> g.y >> g.z;
    m.phase.push_back(phase);
    m.reason.push_back(phase < 0 ? OrientationReason::no_match : OrientationReason::indexed);
    m.orientation.push_back(g);
    m.covariance.push_back({1e-6, 1e-6, 1e-6, 0, 0, 0});
    m.score.push_back(0.5f);
    m.second_score.push_back(0.25f);
    m.residual.push_back(0.001f);
    m.explained.push_back(0.5f);
    m.disks.push_back(9);
    m.probability.push_back(0.75f);
}

Status make(char** words, int count) {
    std::ifstream in(words[0]);
    OrientationMap m;
    in >> m.scan_shape[0] >> m.scan_shape[1] >> m.step_nm >> m.kilovolts;
    for (int i = 2; i < count; ++i) {
        CrystalPhase& phase = m.phases.emplace_back();
        SLUICE_TRY(phase.cell, load_cif(words[i]));
        phase.name = phase.cell.name;
        SLUICE_TRY(phase.symmetry, symmetry_of(phase.cell));
    }
    for (index p = 0; p < m.patterns() && in; ++p) add_pattern(in, m);
    if (!in) return Error{Code::truncated, "the numbers end too early", words[0]};
    return save_orientations(words[1], m);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 3) {
        std::fputs("usage: try_orientations NUMBERS OUT CIF...\n", stderr);
        return 2;
    }
    auto const done = make(argv + 1, argc - 1);
    if (done) return 0;
    std::fprintf(stderr, "%s\n", done.error().text().c_str());
    return 1;
}
