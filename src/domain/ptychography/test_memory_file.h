// Bytes as a file that only this process has, for fuzz targets of code that opens files by paths.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <string>

#include "sluice/result.h"

namespace sluice::ptycho {

class MemoryFile {
  public:
    MemoryFile(std::uint8_t const* data, std::size_t size) : fd_(::memfd_create("fuzz", 0)) {
        expects(fd_ >= 0);
        for (std::size_t at = 0; at < size;) {
            ssize_t const n = ::write(fd_, data + at, size - at);
            expects(n > 0);
            at += static_cast<std::size_t>(n);
        }
    }
    MemoryFile(MemoryFile const&) = delete;
    MemoryFile& operator=(MemoryFile const&) = delete;
    ~MemoryFile() { ::close(fd_); }
    std::string path() const { return "/proc/self/fd/" + std::to_string(fd_); }

  private:
    int fd_;
};

}  // namespace sluice::ptycho
