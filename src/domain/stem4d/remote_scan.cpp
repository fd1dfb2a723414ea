// Copies a scan to a device and runs the kernels there.
// SPDX-License-Identifier: Apache-2.0
#include "domain/stem4d/remote_scan.h"

namespace sluice::stem4d {

using planes::tile_frames;

Result<RemoteScan> RemoteScan::upload(Scan const& scan, Device const& device) {
    store::Resident const* const store = scan.resident_store();
    if (!store)
        return Error{Code::unavailable, "device '" + device.name() +
                                            "' needs the scan in memory (it is streamed); "
                                            "load less, or use --device cpu"};
    SLUICE_TRY(RemoteDevice* const remote, remote_device(device));
    RemoteScan r(*remote, *store);
    if (store->is_planes()) {
        r.tiles_ = store->tiles();
        SLUICE_TRY(r.bytes_, Buffer<std::byte>::of(*remote, {r.tiles_.base, store->span()}));
        SLUICE_TRY(r.offsets_,
                   Buffer<std::uint64_t>::of(
                       *remote, {r.tiles_.offsets, static_cast<std::size_t>(r.tiles_.tiles)}));
        r.tiles_.base = r.bytes_->data();
        r.tiles_.offsets = r.offsets_->data();
    } else {
        r.values_ = store->values();
        SLUICE_TRY(r.bytes_,
                   Buffer<std::byte>::of(
                       *remote, {static_cast<std::byte const*>(r.values_.data), store->bytes()}));
        r.values_.data = r.bytes_->data();
    }
    SLUICE_CHECK(remote->wait());
    return r;
}

Status RemoteScan::virtual_sums(std::span<Compiled const> detectors, std::span<double> out) {
    auto const n = static_cast<index>(out.size());
    std::vector<planes::MaskWord> words;
    std::vector<dense::Run> runs;
    std::vector<index> first_word{0}, first_run{0};
    for (Compiled const& d : detectors) {
        words.insert(words.end(), d.words.begin(), d.words.end());
        runs.insert(runs.end(), d.runs.begin(), d.runs.end());
        first_word.push_back(std::ssize(words));
        first_run.push_back(std::ssize(runs));
    }
    if (store_.is_planes()) {
        std::vector<std::uint64_t> result(out.size());  // outlives the queue that writes it
        SLUICE_TRY(auto const w, Buffer<planes::MaskWord>::of(device_, words));
        SLUICE_TRY(auto const f, Buffer<index>::of(device_, first_word));
        SLUICE_TRY(auto const sums, Buffer<std::uint64_t>::allocate(device_, n));
        SLUICE_CHECK(map_remote(
            device_, n,
            planes::VirtualSum{tiles_, w.data(), f.data(), std::ssize(detectors), sums.data()}));
        SLUICE_CHECK(sums.download(result));
        SLUICE_CHECK(device_.wait());
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<double>(result[i]);
        return {};
    }
    SLUICE_TRY(auto const r, Buffer<dense::Run>::of(device_, runs));
    SLUICE_TRY(auto const f, Buffer<index>::of(device_, first_run));
    SLUICE_TRY(auto const sums, Buffer<double>::allocate(device_, n));
    SLUICE_CHECK(map_remote(
        device_, n,
        dense::VirtualSum{values_, r.data(), f.data(), std::ssize(detectors), sums.data()}));
    SLUICE_CHECK(sums.download(out));
    return device_.wait();
}

Status RemoteScan::weighted_sums(Compiled const& detector, std::span<double> out) {
    auto const n = static_cast<index>(out.size());
    SLUICE_TRY(auto const sums, Buffer<double>::allocate(device_, n));
    if (store_.is_planes()) {
        SLUICE_TRY(auto const w, Buffer<float>::of(device_, detector.block_weights));
        SLUICE_CHECK(map_remote(device_, n, planes::WeightedSum{tiles_, w.data(), sums.data()}));
        SLUICE_CHECK(sums.download(out));
        return device_.wait();
    }
    SLUICE_TRY(auto const w, Buffer<float>::of(device_, detector.pixel_weights));
    SLUICE_CHECK(map_remote(device_, n, dense::WeightedSum{values_, w.data(), sums.data()}));
    SLUICE_CHECK(sums.download(out));
    return device_.wait();
}

Status RemoteScan::moments(Compiled const& mask, std::span<double> out) {
    auto const n = static_cast<index>(out.size()) / 3;
    if (store_.is_planes()) {
        std::vector<planes::Moment> result(static_cast<std::size_t>(n));
        SLUICE_TRY(auto const w, Buffer<planes::MaskWord>::of(device_, mask.words));
        SLUICE_TRY(auto const moments, Buffer<planes::Moment>::allocate(device_, n));
        SLUICE_CHECK(
            map_remote(device_, n, planes::Moments{tiles_, w.data(), w.count(), moments.data()}));
        SLUICE_CHECK(moments.download(result));
        SLUICE_CHECK(device_.wait());
        for (std::size_t i = 0; i < result.size(); ++i) {
            out[3 * i] = static_cast<double>(result[i].sum);
            out[3 * i + 1] = static_cast<double>(result[i].row);
            out[3 * i + 2] = static_cast<double>(result[i].col);
        }
        return {};
    }
    SLUICE_TRY(auto const r, Buffer<dense::Run>::of(device_, mask.runs));
    SLUICE_TRY(auto const moments, Buffer<double>::allocate(device_, 3 * n));
    SLUICE_CHECK(
        map_remote(device_, n, dense::Moments{values_, r.data(), r.count(), moments.data()}));
    SLUICE_CHECK(moments.download(out));
    return device_.wait();
}

Status RemoteScan::pattern(std::span<std::uint8_t const> take, std::span<dense::PixelStats> out) {
    if (store_.is_planes()) {
        auto const masks = frame_masks(take, tiles_.tiles);
        index const n = tiles_.grid.blocks() * 64;
        std::vector<planes::PixelStats> result(static_cast<std::size_t>(n));
        SLUICE_TRY(auto const m, Buffer<std::uint16_t>::of(device_, masks));
        SLUICE_TRY(auto const stats, Buffer<planes::PixelStats>::allocate(device_, n));
        SLUICE_CHECK(map_remote(device_, n, planes::PatternStats{tiles_, m.data(), stats.data()}));
        SLUICE_CHECK(stats.download(result));
        SLUICE_CHECK(device_.wait());
        for (index r = 0; r < tiles_.grid.rows; ++r)
            for (index c = 0; c < tiles_.grid.cols; ++c) {
                auto const& s = result[static_cast<std::size_t>(tiles_.grid.block_of(r, c) * 64 +
                                                                planes::Grid::bit_of(r, c))];
                out[static_cast<std::size_t>(r * tiles_.grid.cols + c)] = {
                    static_cast<double>(s.sum), s.squares, static_cast<double>(s.max)};
            }
        return {};
    }
    SLUICE_TRY(auto const t, Buffer<std::uint8_t>::of(device_, take));
    SLUICE_TRY(auto const stats, Buffer<dense::PixelStats>::allocate(device_, std::ssize(out)));
    SLUICE_CHECK(
        map_remote(device_, std::ssize(out), dense::PatternStats{values_, t.data(), stats.data()}));
    SLUICE_CHECK(stats.download(out));
    return device_.wait();
}

std::vector<std::uint16_t> frame_masks(std::span<std::uint8_t const> take, index tiles) {
    std::vector<std::uint16_t> masks(static_cast<std::size_t>(tiles));
    for (std::size_t f = 0; f < take.size(); ++f)
        if (take[f]) masks[f / tile_frames] |= static_cast<std::uint16_t>(1U << (f % tile_frames));
    return masks;
}

}  // namespace sluice::stem4d
