// Uploads rows that the device lacks, halves there, and downloads the result.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/ngff/halver.h"

#include "base/with_type.h"
#include "kernel/halve/halve.h"
#include "launch/map.h"

namespace sluice::slide::ome {

Result<Halver> Halver::on(Device const& device, DType dtype, std::vector<index> const& most) {
    SLUICE_TRY(Queue queue, Queue::of(device));
    Halver halver(std::move(queue), dtype);
    for (index const bytes : most) {
        Level level;
        SLUICE_TRY(level.band, Place<std::byte>::make(halver.queue_, bytes));
        halver.levels_.push_back(std::move(level));
    }
    return halver;
}

Status Halver::halve(int number, PixelRows const& from, index rows, std::byte* to) {
    Level& level = levels_[static_cast<std::size_t>(number)];
    Level& next = levels_[static_cast<std::size_t>(number) + 1];
    index const pixel = from.samples * size_of(dtype_), row = from.width * pixel;
    index const coarse = (from.width + 1) / 2 * pixel, made = (from.height + 1) / 2;
    if (level.rows != from.height) {
        auto const bytes = static_cast<std::size_t>(from.height * row);
        expects(bytes <= level.band.bytes());
        SLUICE_CHECK(queue_.upload(level.band.data(), Bytes(from.data, bytes)));
        level.rows = from.height;
    }
    std::byte* const here = next.band.data() + rows * coarse;
    expects(static_cast<std::size_t>((rows + made) * coarse) <= next.band.bytes());
    SLUICE_CHECK(with_pixel_type(dtype_, [&]<class T>(T) {
        halve::Rows<T> const kernel{reinterpret_cast<T const*>(level.band.data()),
                                    reinterpret_cast<T*>(here), from.width, from.height,
                                    from.samples};
        return launch::map(queue_, kernel.elements(), kernel);
    }));
    next.rows = next.rows == rows ? rows + made : unknown;
    SLUICE_CHECK(queue_.download({to, static_cast<std::size_t>(made * coarse)}, here));
    return queue_.wait();
}

}  // namespace sluice::slide::ome
