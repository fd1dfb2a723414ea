// Copies patterns to a device.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/remote/remote_patterns.h"

#include "domain/ptychography/grid.h"

namespace sluice::ptycho::remote {

std::vector<Corner> corners_of(std::vector<Position> const& positions, bool sub_pixel) {
    std::vector<Corner> corners;
    for (Position const& position : positions) {
        WindowPlace const place = place_of(position, sub_pixel);
        corners.push_back({place.row_part, place.col_part, static_cast<std::int32_t>(place.row),
                           static_cast<std::int32_t>(place.col)});
    }
    return corners;
}

index RemotePatterns::bytes_of(stem4d::Patterns const& patterns) {
    index const counts = std::visit(
        [](auto const& of) { return static_cast<index>(std::as_bytes(std::span(of)).size()); },
        patterns.counts);
    return counts + std::ssize(patterns.bad) +
           patterns.count() * static_cast<index>(sizeof(Corner));
}

Status RemotePatterns::place(std::vector<Position> const& positions, bool sub_pixel) {
    corners_ = corners_of(positions, sub_pixel);
    return corners_there_.put(*queue_, corners_);
}

Result<RemotePatterns> RemotePatterns::upload(Queue& queue, Measured const& measured,
                                              stem4d::PtychographyOptions const& options) {
    stem4d::Patterns const& patterns = measured.patterns;
    RemotePatterns there(queue, measured);
    SLUICE_TRY(auto const canvas, make_canvas(positions_on_grid(patterns, options),
                                              grid_of(patterns, options).window, options.margin));
    there.corners_ = corners_of(canvas.corners, options.sub_pixel);
    Bytes const counts =
        std::visit([](auto const& of) { return std::as_bytes(std::span(of)); }, patterns.counts);
    SLUICE_TRY(there.counts_, Place<std::byte>::of(queue, counts));
    SLUICE_TRY(there.corners_there_, Place<Corner>::of(queue, there.corners_));
    if (!patterns.bad.empty()) {
        SLUICE_TRY(there.bad_, Place<std::uint8_t>::of(queue, patterns.bad));
    }
    SLUICE_CHECK(queue.wait());
    return there;
}

}  // namespace sluice::ptycho::remote
