// What each kind of device does for Queue and Place: memory, and streams of work.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "sluice/device.h"
#include "sluice/view.h"

namespace sluice {

/// How much crossed between the host and a device since the program began.
struct Traffic {
    std::uint64_t uploaded = 0, downloaded = 0;  ///< bytes
    std::uint64_t launches = 0, waits = 0;

    Traffic operator-(Traffic const& o) const {
        return {uploaded - o.uploaded, downloaded - o.downloaded, launches - o.launches,
                waits - o.waits};
    }
};

/// Elements 0 to n-1 of a kernel, as every kind of device can take them (launch/map.h makes it).
struct Work {
    index n;
    Bytes kernel;  ///< the functor itself: all that travels
    /// Does first, first + step ... until that is `end`.
    void (*loop)(void const* kernel, index first, index end, index step);
    /// Does [first, end) with an instruction set; null where loop() is all there is.
    void (*per_isa)(Isa isa, void const* kernel, index first, index end);
    void const* grid;  ///< the same as a CUDA function; null in a build without CUDA
};

/// Work that a stream was given once, and can run again as it was.
class Recording {
  public:
    virtual ~Recording() = default;
};

/// Work in the order it was given, by one thread at a time; done only after wait().
class Stream {
  public:
    virtual ~Stream() = default;
    /// `from` and `to` must live until wait().
    virtual Status upload(void* to, Bytes from) = 0;
    virtual Status download(std::span<std::byte> to, void const* from) = 0;
    virtual Status run(Work const& work) = 0;
    virtual Status wait() = 0;
    /// Forgets work that was not waited for: it writes nothing to the host any more.
    virtual void abandon() = 0;

    /// From here to end_recording() nothing but run() is called, which does nothing but note it.
    virtual Status begin_recording() = 0;
    virtual Result<std::unique_ptr<Recording const>> end_recording() = 0;
    /// Of a recording of a stream of the same device, which lives until wait().
    virtual Status replay(Recording const& recording) = 0;

    /// The cudaStream_t, whose GPU becomes the thread's current one, for libraries that give it
    /// work themselves; null where there is none.
    virtual void* native() { return nullptr; }
};

/// A device: one object for all who use it, from any thread.
class Backend {
  public:
    virtual ~Backend() = default;

    virtual Result<std::unique_ptr<Stream>> open(Device const& device) = 0;
    /// Takes back a stream that is not used and in which no work waits.
    virtual void close(std::unique_ptr<Stream> stream) { stream.reset(); }

    /// Where memory is short, drops kept copies first, the longest unused ones before others.
    Result<void*> allocate(std::size_t bytes);
    /// Waits for all work that may still use it.
    virtual void release(void* memory) = 0;
    /// Bytes that are free now, without kept copies; empty: as many as the host has.
    virtual std::optional<std::uint64_t> available() { return {}; }

    /// A copy of what `owner` has that can be made again, or null.
    std::shared_ptr<void const> kept(void const* owner);
    void keep(void const* owner, std::shared_ptr<void const> copy);
    void forget(void const* owner);

    Traffic traffic() const { return {uploaded, downloaded, launches, waits}; }
    std::atomic<std::uint64_t> uploaded = 0, downloaded = 0, launches = 0, waits = 0;

  protected:
    virtual Result<void*> take(std::size_t bytes) = 0;

  private:
    struct Kept {
        std::shared_ptr<void const> copy;
        std::uint64_t used;  ///< by uses_
    };
    std::mutex mutex_;
    std::map<void const*, Kept> kept_;
    std::uint64_t uses_ = 0;

    std::shared_ptr<void const> longest_unused();
};

/// The one of a device, or why there is none.
Result<std::shared_ptr<Backend>> backend_of(Device const& device);

std::shared_ptr<Backend> host_backend();
Result<std::shared_ptr<Backend>> cuda_backend(int ordinal);

}  // namespace sluice
