// Target: where the frames of a scan are written to, in blocks that are independent of each other.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/conversion/frame_reader.h"
#include "sluice/stem4d_convert.h"

namespace sluice::conversion {

/// What an output is made from.
struct Wish {
    Dataset like = {};  ///< the output as a dataset: shape, type, calibration
    stem4d::ScanCodec codec = stem4d::ScanCodec::automatic;
    Provenance provenance = {};
    int threads = 1;

    std::array<index, 4> shape() const {
        return {like.scan[0], like.scan[1], like.rows, like.cols};
    }
    index frame_bytes() const { return like.pixels() * size_of(like.dtype); }
};

/// Frames first .. first + count - 1.
struct Block {
    index first = 0, count = 0;
};

/// A block as it lies on the disk.
struct Stored {
    std::uint64_t bytes = 0, hash = 0;  ///< xxh64() of them
};

/// Everything is written under temporary names. begin() comes first; write() is then called
/// by many threads, for each block once.
class Target {
  public:
    virtual ~Target() = default;
    virtual std::string codec() const = 0;
    virtual index blocks() const = 0;
    virtual Block block(index number) const = 0;
    /// Makes what blocks are written into; `anew`: nothing of it is there.
    virtual Status begin(bool anew) = 0;
    virtual Result<Stored> write(index number, FrameReader& frames) = 0;
    /// About what write() takes on one thread beside its reader, in bytes, where encoded values
    /// take `packed` of their bytes.
    virtual std::uint64_t worker_bytes(double packed) const = 0;
    /// The block as the disk has it, to compare with what was written; of a resumed output.
    virtual Result<Stored> read_back(index number) const = 0;
    /// Whether an unfinished output can be gone on with.
    virtual bool resumable() const { return true; }
    /// All blocks are written.
    virtual Status finish() { return {}; }
    /// The file or folder that gets the output's name, at last.
    virtual std::string main() const = 0;
    /// What was written, opened under its temporary name.
    virtual Result<Dataset> reopen() const = 0;
    /// Bytes that the output takes.
    virtual std::uint64_t bytes() const = 0;
    /// Files beside it: each temporary name, and the name that it gets before.
    virtual std::vector<std::pair<std::string, std::string>> others() const { return {}; }
    /// What the format cannot say, or says in another way.
    virtual std::vector<std::string> notes() const { return {}; }
};

}  // namespace sluice::conversion
