// A folder of this process, which is removed with all that is in it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "sluice/result.h"

namespace sluice::planning {

class Folder {
  public:
    /// In `in`; empty: the system's folder of temporary files.
    static Result<std::shared_ptr<Folder>> make(std::string const& in);
    explicit Folder(std::string path) : path_(std::move(path)) {}
    Folder(Folder const&) = delete;
    Folder& operator=(Folder const&) = delete;
    ~Folder();

    std::string const& path() const { return path_; }

  private:
    std::string path_;
};

}  // namespace sluice::planning
