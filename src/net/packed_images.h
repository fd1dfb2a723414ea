// PackedImages: the images of a dataset as a stream has them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/frame_source.h"

namespace sluice::net {

/// How a stream has its images.
struct ImageForm {
    Encoding encoding = Encoding::values;
    codec::MedipixRaw medipix = {};  ///< `medipix` only
};

/// Of one thread. Bytes that are stored as the stream wants them are taken as they are.
class PackedImages {
  public:
    PackedImages(Dataset const& dataset, ImageForm form) : dataset_(dataset), form_(form) {}

    /// The bytes live until the next call; empty: the frame was not measured.
    Result<Bytes> pack(index frame);
    index as_stored() const { return as_stored_; }

  private:
    Status values_of(EncodedFrame const& frame);

    Dataset const& dataset_;
    ImageForm form_;
    FetchScratch scratch_ = {};
    std::vector<std::byte> values_ = {}, packed_ = {};
    index as_stored_ = 0;
};

}  // namespace sluice::net
