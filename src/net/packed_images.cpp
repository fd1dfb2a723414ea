// The images of a dataset as a stream has them.
// SPDX-License-Identifier: Apache-2.0
#include "net/packed_images.h"

#include <algorithm>

#include "codec/bitshuffle/bitshuffle.h"
#include "codec/lz4/lz4.h"

namespace sluice::net {

Status PackedImages::values_of(EncodedFrame const& frame) {
    int const pixel = static_cast<int>(size_of(dataset_.dtype));
    int const element = frame.shuffled_bytes != 0 ? frame.shuffled_bytes : pixel;
    values_.resize(static_cast<std::size_t>(dataset_.pixels() * pixel));
    using codec::Compression;
    switch (frame.encoding) {
        case Encoding::missing:
            return {};
        case Encoding::values:
            if (frame.bytes.size() != values_.size())
                return Error{Code::corrupt, "a frame of another size", dataset_.path};
            std::copy(frame.bytes.begin(), frame.bytes.end(), values_.begin());
            return {};
        case Encoding::big_endian:
            if (frame.bytes.size() != values_.size())
                return Error{Code::corrupt, "a frame of another size", dataset_.path};
            convert_values({.bytes = pixel, .big_endian = true}, frame.bytes, values_.data());
            return {};
        case Encoding::medipix:
            return codec::decode_medipix(frame.bytes, frame.medipix, dataset_.rows, dataset_.cols,
                                         values_);
        case Encoding::lz4_block:
            return codec::lz4_decompress(frame.bytes, values_);
        case Encoding::lz4:
            return codec::decode_lz4(frame.bytes, values_);
        case Encoding::bitshuffle:
            return codec::decode_bitshuffle(frame.bytes, Compression::none, element, values_,
                                            frame.block_elements);
        case Encoding::bitshuffle_lz4:
            return codec::decode_bitshuffle(frame.bytes, Compression::lz4, element, values_);
        case Encoding::bitshuffle_zstd:
            return codec::decode_bitshuffle(frame.bytes, Compression::zstd, element, values_);
    }
    return {};
}

Result<Bytes> PackedImages::pack(index number) {
    EncodedFrame frame;
    SLUICE_CHECK(dataset_.source->fetch(number, {&frame, 1}, scratch_));
    if (frame.encoding == Encoding::missing) return Bytes{};
    bool const ready = frame.encoding == form_.encoding && frame.shuffled_bytes == 0 &&
                       (frame.encoding != Encoding::medipix || frame.medipix == form_.medipix);
    as_stored_ += ready;
    if (ready) return frame.bytes;
    SLUICE_CHECK(values_of(frame));
    int const element = static_cast<int>(size_of(dataset_.dtype));
    packed_.clear();
    switch (form_.encoding) {
        case Encoding::bitshuffle_lz4:
            packed_ = codec::encode_bitshuffle_lz4(values_, element);
            break;
        case Encoding::lz4:
            packed_ = codec::encode_lz4(values_);
            break;
        case Encoding::lz4_block:
            codec::lz4_compress(values_, packed_);
            break;
        case Encoding::big_endian:
            packed_.resize(values_.size());
            convert_values({.bytes = element, .big_endian = true}, values_, packed_.data());
            break;
        case Encoding::medipix:
            packed_ = codec::encode_medipix(values_, form_.medipix, dataset_.rows, dataset_.cols);
            break;
        default:
            return Bytes(values_);
    }
    return Bytes(packed_);
}

}  // namespace sluice::net
