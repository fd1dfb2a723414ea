// PackedImages: the images of a dataset as a stream has them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/frame_source.h"
#include "net/cbor/typed_array.h"
#include "net/dectris/simulator.h"

namespace sluice::net::dectris {

/// Of one thread. Bytes that are stored as the stream wants them are taken as they are.
class PackedImages {
  public:
    PackedImages(Dataset const& dataset, Packing packing) : dataset_(dataset), packing_(packing) {}

    /// The bytes live until the next call; empty: the frame was not measured.
    Result<Bytes> pack(index frame);
    /// What the array of an image says of its bytes.
    cbor::TypedArray array() const;
    index as_stored() const { return as_stored_; }

  private:
    Dataset const& dataset_;
    Packing packing_;
    FetchScratch scratch_ = {};
    std::vector<std::byte> values_ = {}, packed_ = {};
    index as_stored_ = 0;
};

}  // namespace sluice::net::dectris
