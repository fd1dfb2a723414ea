// What one instruction set's kernels over lines are made of; for *.isa.cpp files only.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel/lines/cpu.h"

namespace sluice::lines::SLUICE_ISA {

index make_unit(std::span<planes::Tile const> tiles, planes::Grid grid, std::byte* out);
void count_mask(std::span<Unit const> units, LineMask const& mask,
                std::uint64_t (*out)[unit_frames]);
void count_moments(std::span<Unit const> units, std::span<planes::MaskWord const> mask,
                   planes::Moment (*out)[unit_frames]);
void add_frames(Unit unit, std::uint64_t const* chosen, std::uint64_t* sums);
void turn_unit_back(Unit unit, index first, index count, std::uint8_t const* need,
                    std::byte* const* out, index* bytes);
void read_rows(Unit unit, index frame, index row, index rows, double* out);

}  // namespace sluice::lines::SLUICE_ISA
