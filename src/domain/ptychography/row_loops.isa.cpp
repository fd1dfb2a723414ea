// Rows of floats, for one instruction set; the compiler makes registers of the plain loops.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/row_bodies.h"

namespace sluice::ptycho::SLUICE_ISA {

RowLoops<float> row_loops_of() {
    return {add<float>,         add_scaled<float>,    add_shared<float>,
            take_scaled<float>, take_shared<float>,   add_damped<float>,
            add_power<float>,   add_conjugate<float>, step_sums<float>};
}

}  // namespace sluice::ptycho::SLUICE_ISA
