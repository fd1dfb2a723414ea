// LZ4 alone, over all blocks of some rows.
// SPDX-License-Identifier: Apache-2.0
#include "domain/stem4d/benchmark/decode_floor.h"

#include <atomic>

#include "codec/bitshuffle/bitshuffle.h"
#include "device/per_worker.h"
#include "device/workers.h"
#include "format/frame_source.h"

namespace sluice::stem4d {

Result<DecodeFloor> DecodeFloor::read(Dataset const& dataset) {
    DecodeFloor f;
    f.rows_ = dataset.rows, f.cols_ = dataset.cols;
    f.bytes_ = static_cast<int>(size_of(dataset.dtype));
    f.memory_.reserve(dataset.source->stored_bytes());
    std::vector<std::size_t> ends;
    FetchScratch scratch;
    for (index i = 0; i < dataset.frames; ++i) {
        EncodedFrame frame;
        SLUICE_CHECK(dataset.source->fetch(i, {&frame, 1}, scratch));
        if (frame.encoding != Encoding::bitshuffle_lz4)
            return Error{Code::unsupported,
                         "the frames are not bitshuffle+LZ4 (they would be timed beside LZ4 alone) "
                         "take `sluice stem4d benchmark virtual`, which needs no LZ4",
                         dataset.path};
        f.memory_.insert(f.memory_.end(), frame.bytes.begin(), frame.bytes.end());
        ends.push_back(f.memory_.size());
    }
    std::size_t begin = 0;
    for (std::size_t end : ends) {
        f.frames_.push_back(Bytes(f.memory_).subspan(begin, end - begin));
        begin = end;
    }
    return f;
}

Status DecodeFloor::decode(index first_row, index last_row, int threads) const {
    std::atomic<bool> bad = false;
    PerWorker<std::vector<std::byte>> blocks(threads);
    parallel_for(std::ssize(frames_), threads, 16, [&](index i, int worker) {
        std::vector<std::byte>& out = blocks[worker];
        auto walk = codec::BlockWalk::begin(frames_[static_cast<std::size_t>(i)],
                                            codec::Compression::lz4, rows_ * cols_, bytes_);
        if (!walk) {
            bad = true;
            return;
        }
        while (!walk->done()) {
            auto const block = walk->next();
            if (!block) {
                bad = true;
                return;
            }
            if (block->first >= last_row * cols_) return;
            if (block->first + block->count <= first_row * cols_) continue;
            out.resize(static_cast<std::size_t>(block->count * bytes_));
            if (!codec::decode_block(*block, codec::Compression::lz4, out)) bad = true;
        }
    });
    if (bad) return Error{Code::corrupt, "a block did not decompress"};
    return {};
}

}  // namespace sluice::stem4d
