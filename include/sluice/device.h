// Device: where memory is and where work runs, passed as an argument and never ambient.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sluice/result.h"

namespace sluice {

/// Instruction sets a kernel is compiled for, the last one best (flags: cmake/isa.cmake).
enum class Isa : std::uint8_t { baseline, avx2, avx512 };

/// A value: copies name the same device.
class Device {
  public:
    enum class Kind : std::uint8_t {
        reference,  ///< the obviously correct slow twin: one thread, plain loops, in order
        cpu,        ///< this processor: all threads, best instruction set
        fake,       ///< host memory handed out as if remote, for tests
        cuda,       ///< an NVIDIA GPU
    };

    static Device reference();
    /// `threads` 0: one per processor.
    static Device cpu(int threads = 0);
    static Device cpu(int threads, Isa isa);
    static Device fake();
    /// Fails where there is no such GPU, no driver, or no CUDA in this build.
    static Result<Device> cuda(int ordinal = 0);
    /// "reference", "cpu", "cpu:avx2", "fake", "cuda", "cuda:1" or "best".
    static Result<Device> named(std::string const& name, int threads = 0);

    /// The same with so many threads, if it has a choice; 0: as it is.
    Device with_threads(int threads) const;
    /// The device that reads files for it: itself if it is a processor with its instruction sets,
    /// else this processor.
    Device host(int threads = 0) const;

    Kind kind() const { return kind_; }
    int threads() const { return threads_; }
    Isa isa() const { return isa_; }
    /// Which of several GPUs.
    int ordinal() const { return ordinal_; }
    /// Whether its memory is out of the host's reach.
    bool remote() const { return kind_ == Kind::fake || kind_ == Kind::cuda; }
    /// As named() takes it.
    std::string name() const;

  private:
    Kind kind_ = Kind::cpu;
    int threads_ = 1, ordinal_ = 0;
    Isa isa_ = Isa::baseline;
};

}  // namespace sluice
