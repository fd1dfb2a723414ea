// PartFile: a file of known size that threads fill at any place, and that can be gone on with.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sluice/result.h"
#include "sluice/view.h"

namespace sluice::conversion {

class PartFile {
  public:
    /// Makes the file, or opens the one that is there.
    static Result<PartFile> open(std::string const& path);
    PartFile(PartFile&& other) noexcept;
    PartFile& operator=(PartFile&& other) noexcept;
    ~PartFile();

    Status write(std::uint64_t offset, Bytes bytes) const;
    Status read(std::uint64_t offset, std::span<std::byte> out) const;

  private:
    PartFile() = default;
    std::string path_;
    int fd_ = -1;
};

}  // namespace sluice::conversion
