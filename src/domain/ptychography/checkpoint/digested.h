// Entries of an HDF5 file that each have their digest beside them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "base/hash.h"
#include "sluice/save.h"

namespace sluice::ptycho {

/// Where the digest of an array is.
inline std::string digest_of(std::string const& name) {
    return "digests/" + name;
}

/// Adds an array, and its digest behind it: of its pieces, one after the other.
inline void add_digested(Hdf5Dataset d, std::vector<Hdf5Entry>& entries) {
    auto const sum = std::make_shared<std::uint64_t>(0);
    Hdf5Dataset after{.name = digest_of(d.name), .dtype = DType::u64, .shape = {1}};
    after.piece = [sum](index) { return std::as_bytes(std::span(sum.get(), 1)); };
    d.piece = [sum, inner = std::move(d.piece)](index k) -> Result<Bytes> {
        SLUICE_TRY(Bytes const bytes, inner(k));
        *sum = splitmix_digest(bytes, k == 0 ? 0 : *sum);
        return bytes;
    };
    entries.emplace_back(std::move(d));
    entries.emplace_back(std::move(after));
}

}  // namespace sluice::ptycho
