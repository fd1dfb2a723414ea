// Picks one instruction set's kernels out of the functions of the same name in each.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/isa.h"

/// SLUICE_PER_ISA(Transpose, transpose) defines `Transpose const& transpose(Isa)` out of
/// baseline::transpose(), avx2::transpose() and so on; it stands in the namespace of those.
#ifdef SLUICE_X86
#define SLUICE_PER_ISA(Type, name)                                       \
    Type const& name(::sluice::Isa isa) {                                \
        static Type const tables[] = {baseline::name(), avx2::name(), avx512::name()}; \
        return tables[static_cast<int>(isa)];                            \
    }
#else
#define SLUICE_PER_ISA(Type, name)                                       \
    Type const& name(::sluice::Isa) {                                    \
        static Type const table = baseline::name();                      \
        return table;                                                    \
    }
#endif
