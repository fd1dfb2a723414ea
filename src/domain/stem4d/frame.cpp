// Single frames of a scan, as fast as a hand drags.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "base/with_type.h"
#include "kernel/lines/cpu.h"
#include "kernel/planes/read_frame.h"
#include "sluice/stem4d.h"
#include "store/resident.h"

namespace sluice::stem4d {
namespace {

template <class T>
void copy(std::byte const* from, std::span<double> to) {
    for (std::size_t i = 0; i < to.size(); ++i) {
        T value;
        std::memcpy(&value, from + i * sizeof(T), sizeof(T));
        to[i] = static_cast<double>(value);
    }
}

void copy_values(std::byte const* from, DType dtype, std::span<double> to) {
    with_detector_type(dtype, [&]<class T>(T) { copy<T>(from, to); });
}

void read_resident(store::Unit const& unit, index slot, planes::Grid grid, std::span<double> to) {
    if (unit.is_tile) return planes::read_frame(unit.tile, grid, slot, to.data());
    auto const* const values = static_cast<std::byte const*>(unit.values.data);
    copy_values(values + slot * unit.values.pixels() * size_of(unit.values.dtype),
                unit.values.dtype, to);
}

}  // namespace

Result<Array<double>> frame(Scan const& scan, index row, index col) {
    auto const shape = scan.scan_shape();
    if (row < 0 || col < 0 || row >= shape[0] || col >= shape[1])
        return Error{Code::invalid_argument,
                     fmt::format("there is no scan point at row {}, column {} (the scan is {}x{})",
                                 row, col, shape[0], shape[1])};
    store::Plan const& plan = scan.plan();
    index const number = row * shape[1] + col;
    auto out = Array<double>::zeros({plan.rows, plan.cols});
    if (!plan.lost.empty() && plan.lost[static_cast<std::size_t>(number)]) {
        std::ranges::fill(out.values, std::numeric_limits<double>::quiet_NaN());
        return out;
    }
    store::Resident const* const resident = scan.resident_store();
    if (resident && resident->is_lines()) {
        // On this thread alone: the others may be busy for longer than it takes.
        lines::kernels_for(scan.options().device)
            .read_rows(resident->line_units().unit(number / lines::unit_frames),
                       number % lines::unit_frames, 0, plan.grid().block_rows(), out.values.data());
        return out;
    }
    if (resident) {
        read_resident(resident->unit(number / planes::tile_frames), number % planes::tile_frames,
                      plan.grid(), out.values);
        return out;
    }
    store::UnitMaker maker(scan.dataset(), plan, scan.options().device.isa());
    std::vector<std::byte> values(static_cast<std::size_t>(plan.pixels() * size_of(plan.dtype)));
    SLUICE_CHECK(maker.make_frames(number, 1, values.data()));
    copy_values(values.data(), plan.dtype, out.values);
    return out;
}

}  // namespace sluice::stem4d
