// Runs the kernels over a scan where its copy is.
// SPDX-License-Identifier: Apache-2.0
#include "domain/stem4d/remote_scan.h"

#include <cstring>

#include "launch/map.h"

namespace sluice::stem4d {

using planes::tile_frames;

Result<std::optional<RemoteScan>> RemoteScan::on(Scan const& scan, Device const& device) {
    if (!device.remote()) return std::optional<RemoteScan>();
    SLUICE_TRY(Queue queue, Queue::of(device));
    SLUICE_TRY(auto copy, scan.on(queue));
    return std::optional(RemoteScan(std::move(queue), std::move(copy)));
}

Status RemoteScan::virtual_sums(Compiled const& d, std::span<double> out) {
    auto const n = static_cast<index>(out.size());
    std::vector<index> const first_word{0, std::ssize(d.words)}, first_run{0, std::ssize(d.runs)};
    if (copy_->is_planes()) {
        std::vector<std::uint64_t> result(out.size());  // outlives the queue that writes it
        SLUICE_TRY(auto const w, Place<planes::MaskWord>::of(queue_, d.words));
        SLUICE_TRY(auto const f, Place<index>::of(queue_, first_word));
        SLUICE_TRY(auto const sums, Place<std::uint64_t>::make(queue_, n));
        SLUICE_CHECK(launch::map(
            queue_, n, planes::VirtualSum{copy_->tiles, w.data(), f.data(), 1, sums.data()}));
        SLUICE_CHECK(sums.download(queue_, result));
        SLUICE_CHECK(queue_.wait());
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<double>(result[i]);
        return {};
    }
    SLUICE_TRY(auto const r, Place<dense::Run>::of(queue_, d.runs));
    SLUICE_TRY(auto const f, Place<index>::of(queue_, first_run));
    SLUICE_TRY(auto const shares, Place<float>::of(queue_, d.shares));
    SLUICE_TRY(auto const sums, Place<double>::make(queue_, n));
    SLUICE_CHECK(launch::map(queue_, n,
                             dense::VirtualSum{copy_->values, r.data(), f.data(), 1, sums.data(),
                                               d.shares.empty() ? nullptr : shares.data()}));
    SLUICE_CHECK(sums.download(queue_, out));
    return queue_.wait();
}

Result<std::vector<double>> RemoteScan::sums(std::span<Compiled const> detectors, index frames) {
    auto const count = static_cast<std::size_t>(frames);
    std::vector<double> values(detectors.size() * count);
    for (std::size_t d = 0; d < detectors.size(); ++d) {
        Compiled const& of = detectors[d];
        std::span const to(values.data() + d * count, count);
        if (of.runs.empty()) continue;  // the weights of rows are 0 in a detector of row 0
        SLUICE_CHECK(of.weighted ? weighted_sums(of, to) : virtual_sums(of, to));
        for (double& sum : to) sum -= of.offset;
    }
    return values;
}

Status RemoteScan::weighted_sums(Compiled const& detector, std::span<double> out) {
    auto const n = static_cast<index>(out.size());
    SLUICE_TRY(auto const sums, Place<double>::make(queue_, n));
    if (copy_->is_planes()) {
        SLUICE_TRY(auto const w, Place<float>::of(queue_, detector.block_weights));
        SLUICE_CHECK(
            launch::map(queue_, n, planes::WeightedSum{copy_->tiles, w.data(), sums.data()}));
        SLUICE_CHECK(sums.download(queue_, out));
        return queue_.wait();
    }
    SLUICE_TRY(auto const w, Place<float>::of(queue_, detector.pixel_weights));
    SLUICE_TRY(auto const shares, Place<float>::of(queue_, detector.shares));
    SLUICE_CHECK(
        launch::map(queue_, n,
                    dense::WeightedSum{copy_->values, w.data(), sums.data(),
                                       detector.shares.empty() ? nullptr : shares.data()}));
    SLUICE_CHECK(sums.download(queue_, out));
    return queue_.wait();
}

Status RemoteScan::moments(Compiled const& mask, std::span<double> out) {
    auto const n = static_cast<index>(out.size()) / 3;
    if (copy_->is_planes()) {
        std::vector<planes::Moment> result(static_cast<std::size_t>(n));
        SLUICE_TRY(auto const w, Place<planes::MaskWord>::of(queue_, mask.words));
        SLUICE_TRY(auto const moments, Place<planes::Moment>::make(queue_, n));
        SLUICE_CHECK(launch::map(
            queue_, n, planes::Moments{copy_->tiles, w.data(), w.count(), moments.data()}));
        SLUICE_CHECK(moments.download(queue_, result));
        SLUICE_CHECK(queue_.wait());
        for (std::size_t i = 0; i < result.size(); ++i) {
            out[3 * i] = static_cast<double>(result[i].sum);
            out[3 * i + 1] = static_cast<double>(result[i].row);
            out[3 * i + 2] = static_cast<double>(result[i].col);
        }
        return {};
    }
    SLUICE_TRY(auto const r, Place<dense::Run>::of(queue_, mask.runs));
    SLUICE_TRY(auto const moments, Place<double>::make(queue_, 3 * n));
    SLUICE_CHECK(
        launch::map(queue_, n, dense::Moments{copy_->values, r.data(), r.count(), moments.data()}));
    SLUICE_CHECK(moments.download(queue_, out));
    return queue_.wait();
}

Status RemoteScan::pattern(std::span<std::uint8_t const> take, std::span<dense::PixelStats> out) {
    if (copy_->is_planes()) {
        auto const masks = frame_masks(take, copy_->tiles.tiles);
        index const n = copy_->tiles.grid.blocks() * 64;
        std::vector<planes::PixelStats> result(static_cast<std::size_t>(n));
        SLUICE_TRY(auto const m, Place<std::uint16_t>::of(queue_, masks));
        SLUICE_TRY(auto const stats, Place<planes::PixelStats>::make(queue_, n));
        SLUICE_CHECK(
            launch::map(queue_, n, planes::PatternStats{copy_->tiles, m.data(), stats.data()}));
        SLUICE_CHECK(stats.download(queue_, result));
        SLUICE_CHECK(queue_.wait());
        for (index r = 0; r < copy_->tiles.grid.rows; ++r)
            for (index c = 0; c < copy_->tiles.grid.cols; ++c) {
                auto const& s = result[static_cast<std::size_t>(
                    copy_->tiles.grid.block_of(r, c) * 64 + planes::Grid::bit_of(r, c))];
                out[static_cast<std::size_t>(r * copy_->tiles.grid.cols + c)] = {
                    static_cast<double>(s.sum), s.squares, static_cast<double>(s.max), 0};
            }
        return {};
    }
    SLUICE_TRY(auto const t, Place<std::uint8_t>::of(queue_, take));
    SLUICE_TRY(auto const stats, Place<dense::PixelStats>::make(queue_, std::ssize(out)));
    SLUICE_CHECK(launch::map(queue_, std::ssize(out),
                             dense::PatternStats{copy_->values, t.data(), stats.data()}));
    SLUICE_CHECK(stats.download(queue_, out));
    return queue_.wait();
}

std::vector<std::uint16_t> frame_masks(std::span<std::uint8_t const> take, index tiles) {
    std::vector<std::uint16_t> masks(static_cast<std::size_t>(tiles));
    std::size_t f = 0;
    // Eight bytes of 0 and not 0 become eight bits of a product.
    for (; f + 8 <= take.size(); f += 8) {
        std::uint64_t eight = 0;
        std::memcpy(&eight, take.data() + f, 8);
        eight |= eight >> 4, eight |= eight >> 2, eight |= eight >> 1;
        auto const bits = (eight & 0x0101010101010101ULL) * 0x0102040810204080ULL >> 56;
        masks[f / tile_frames] |= static_cast<std::uint16_t>(bits << (f % tile_frames));
    }
    for (; f < take.size(); ++f)
        if (take[f]) masks[f / tile_frames] |= static_cast<std::uint16_t>(1U << (f % tile_frames));
    return masks;
}

}  // namespace sluice::stem4d
