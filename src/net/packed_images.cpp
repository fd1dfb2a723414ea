// The images of a dataset as a stream has them.
// SPDX-License-Identifier: Apache-2.0
#include "net/packed_images.h"

#include "codec/bitshuffle/bitshuffle.h"
#include "codec/lz4/lz4.h"
#include "format/decode_frame.h"

namespace sluice::net {

Result<Bytes> PackedImages::pack(index number) {
    EncodedFrame frame;
    SLUICE_CHECK(dataset_.source->fetch(number, {&frame, 1}, scratch_));
    if (frame.encoding == Encoding::missing) return Bytes{};
    bool const ready = frame.encoding == form_.encoding && frame.shuffled_bytes == 0 &&
                       (frame.encoding != Encoding::medipix || frame.medipix == form_.medipix);
    as_stored_ += ready;
    if (ready) return frame.bytes;
    int const element = static_cast<int>(size_of(dataset_.dtype));
    FrameSize const size{dataset_.rows, dataset_.cols, element};
    values_.resize(size.bytes());
    SLUICE_CHECK(decode_frame(frame, size, values_));
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
