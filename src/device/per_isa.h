// Picks one instruction set's kernels out of the functions of the same name in each.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/isa.h"

namespace sluice {

/// The table of functions for a device: the reference's, or its instruction set's.
template <class Table>
Table const& table_for(Device const& device, Table const& reference, Table const& (*of)(Isa)) {
    return device.kind() == Device::Kind::reference ? reference : of(device.isa());
}

}  // namespace sluice

/// SLUICE_PER_ISA(Transpose, transpose) defines `Transpose const& transpose(Isa)` out of
/// baseline::transpose(), avx2::transpose() and so on; it stands in the namespace of those.
#ifdef SLUICE_X86
// Each table is made by code of its own instruction set, and so only once it is asked for.
#define SLUICE_PER_ISA(Type, name)                  \
    template <Type (*make)()>                       \
    static Type const& name##_once() {              \
        static Type const table = make();           \
        return table;                               \
    }                                               \
    Type const& name(::sluice::Isa isa) {           \
        switch (isa) {                              \
            case ::sluice::Isa::avx512:             \
                return name##_once<avx512::name>(); \
            case ::sluice::Isa::avx2:               \
                return name##_once<avx2::name>();   \
            case ::sluice::Isa::baseline:           \
                break;                              \
        }                                           \
        return name##_once<baseline::name>();       \
    }
#else
#define SLUICE_PER_ISA(Type, name)                  \
    Type const& name(::sluice::Isa) {               \
        static Type const table = baseline::name(); \
        return table;                               \
    }
#endif
