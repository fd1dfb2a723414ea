// The images of a dataset as a stream has them.
// SPDX-License-Identifier: Apache-2.0
#include "net/dectris/packed_images.h"

#include "codec/bitshuffle/bitshuffle.h"
#include "net/frame_values.h"

namespace sluice::net::dectris {

cbor::TypedArray PackedImages::array() const {
    cbor::TypedArray array{
        .dtype = dataset_.dtype, .dimensions = 2, .shape = {dataset_.rows, dataset_.cols}};
    if (packing_ == Packing::lz4) array.compression = "lz4";
    if (packing_ != Packing::bslz4) return array;
    array.compression = "bslz4";
    array.modifier = static_cast<std::uint64_t>(size_of(dataset_.dtype));
    return array;
}

Result<Bytes> PackedImages::pack(index number) {
    EncodedFrame frame;
    SLUICE_CHECK(dataset_.source->fetch(number, {&frame, 1}, scratch_));
    if (frame.encoding == Encoding::missing) return Bytes{};
    bool const ready = (frame.encoding == Encoding::bitshuffle_lz4 && packing_ == Packing::bslz4) ||
                       (frame.encoding == Encoding::lz4 && packing_ == Packing::lz4) ||
                       (frame.encoding == Encoding::values && packing_ == Packing::none);
    as_stored_ += ready;
    if (ready) return frame.bytes;
    int const element = static_cast<int>(size_of(dataset_.dtype));
    values_.resize(static_cast<std::size_t>(dataset_.pixels() * element));
    SLUICE_CHECK(frame_values(frame, element, values_));
    if (packing_ == Packing::none) return Bytes(values_);
    packed_ = packing_ == Packing::lz4 ? codec::encode_lz4(values_)
                                       : codec::encode_bitshuffle_lz4(values_, element);
    return Bytes(packed_);
}

}  // namespace sluice::net::dectris
