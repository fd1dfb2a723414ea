// Signature: what files look like from outside; another one when they were changed.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

namespace sluice::app {

/// Changes whenever one of the files was written, replaced or removed.
std::string signature_of(std::vector<std::string> const& files);

/// One look at folders, each of which is listed once.
class Look {
  public:
    /// Changes also when a file appears that is named after `path`: "a_data_000001.h5" after
    /// "a_master.h5".
    std::string family_of(std::string const& path, std::vector<std::string> const& files);
    /// Changes when a file appears in the folder of `path`, or leaves it.
    static std::string folder_of(std::string const& path);

  private:
    std::map<std::string, std::vector<std::string>> names_;  // by folder
};

}  // namespace sluice::app
