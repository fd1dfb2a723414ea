// Picks the loops of an instruction set.
// SPDX-License-Identifier: Apache-2.0
#include "device/per_isa.h"
#include "domain/ptychography/row_bodies.h"

namespace sluice::ptycho {

namespace {
SLUICE_PER_ISA(RowLoops<float>, row_loops_of)
}  // namespace

template <>
RowLoops<float> const& row_loops(Isa isa) {
    return row_loops_of(isa);
}
template <>
RowLoops<double> const& row_loops(Isa) {
    static RowLoops<double> const loops{
        add<double>,         add_scaled<double>,    add_shared<double>,
        take_scaled<double>, take_shared<double>,   add_damped<double>,
        add_power<double>,   add_conjugate<double>, step_sums<double>};
    return loops;
}

}  // namespace sluice::ptycho
