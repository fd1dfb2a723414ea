// Recorder: writes the images of a series while others look at them, on a thread of its own.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "format/frame_source.h"
#include "format/nxmx/recording.h"
#include "net/check_frame.h"
#include "sluice/stream.h"

namespace sluice::net {

struct RecorderOptions {
    std::uint64_t budget = std::uint64_t{1} << 29;  ///< bytes of images that wait to be written
    /// A disk that takes nothing for so long is not waited for any more.
    double stall_s = 10;
    double flush_s = 2;  ///< between the times at which what is written can be found
    /// Hears at once what goes wrong, in words; by any thread.
    std::function<void(std::string const&)> tell = {};
};

/// When the disk is slower than the detector, put() waits: then nothing is read from the stream,
/// the detector's own buffer fills, and the recording has no hole that the picture has not.
class Recorder {
  public:
    Recorder(nxmx::Recording recording, Dataset const& like, RecorderOptions options);
    ~Recorder();
    Recorder(Recorder const&) = delete;
    Recorder& operator=(Recorder const&) = delete;

    /// The frame's bytes are there as long as `owner` is held. One thread puts.
    void put(index image, EncodedFrame const& frame, std::shared_ptr<void const> const& owner);
    /// Writes what waits, and finishes the files. `how` the series ended.
    RecordReport finish(std::string const& how);

  private:
    struct Waiting {
        index image = 0;
        EncodedFrame frame = {};
        std::shared_ptr<void const> owner = {};
    };
    using Batch = std::vector<Waiting>;

    void work();
    Batch next(bool& ended);
    void write(Batch& batch);
    Result<Bytes> chunk_of(Waiting const& image, std::vector<std::byte>& made);
    void flush_now_and_then();
    void fail(Error const& why, index lost);
    void tell(std::string const& what) const;
    bool has_room(std::uint64_t bytes);

    RecorderOptions const options_;
    FrameSize const size_;
    std::string const name_;

    // Of the thread that writes.
    nxmx::Recording recording_;
    std::vector<bool> there_ = {};  // [image]
    bool begun_ = false;
    Encoding stored_ = Encoding::bitshuffle_lz4;
    std::vector<std::byte> room_ = {};
    std::chrono::steady_clock::time_point flushed_ = {};

    std::mutex mutex_ = {};  // of all that follows
    std::condition_variable came_ = {}, taken_ = {};
    std::deque<Waiting> waiting_ = {};
    std::uint64_t bytes_ = 0;  // that wait or are being written
    std::uint64_t batches_ = 0;
    bool ends_ = false, failed_ = false, stalls_ = false, told_slow_ = false;
    RecordReport report_ = {};
    std::thread thread_ = {};
};

}  // namespace sluice::net
