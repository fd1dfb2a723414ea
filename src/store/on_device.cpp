// Copies a resident scan to a device.
// SPDX-License-Identifier: Apache-2.0
#include "store/on_device.h"

#include "store/unit_reader.h"

namespace sluice::store {

Result<std::shared_ptr<OnDevice const>> copy_to(Queue& queue, Resident const& scan) {
    auto copy = std::make_shared<OnDevice>();
    if (scan.is_lines()) {
        // Devices count tiles.
        TurnedBack const back = turned_back(scan, Device::cpu().isa());
        lines::UnitSet const set = scan.line_units();
        planes::TileSet& t = copy->tiles;
        t = {back.bytes.data(), back.offsets.data(), std::ssize(back.offsets), set.frames,
             set.grid};
        Status sent = copy->memory.carry(queue, t.base, std::ssize(back.bytes));
        if (sent) sent = copy->memory.carry(queue, t.offsets, t.tiles);
        // What was sent is read until then, also when the rest could not be.
        Status const done = queue.wait();
        SLUICE_CHECK(sent);
        SLUICE_CHECK(done);
        return std::shared_ptr<OnDevice const>(std::move(copy));
    }
    if (scan.is_planes()) {
        copy->tiles = scan.tiles();
        planes::TileSet& t = copy->tiles;
        SLUICE_CHECK(copy->memory.carry(queue, t.base, static_cast<index>(scan.span())));
        SLUICE_CHECK(copy->memory.carry(queue, t.offsets, t.tiles));
    } else {
        copy->values = scan.values();
        auto const* data = static_cast<std::byte const*>(copy->values.data);
        SLUICE_CHECK(copy->memory.carry(queue, data, static_cast<index>(scan.bytes())));
        copy->values.data = data;
    }
    SLUICE_CHECK(queue.wait());
    return std::shared_ptr<OnDevice const>(std::move(copy));
}

}  // namespace sluice::store
