// --trace FILE: the steps of a command, for Perfetto.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "app/cli/shell/verb.h"
#include "sluice/result.h"
#include "sluice/trace.h"

namespace sluice::cli {

class TraceOption {
  public:
    void add(Verb const& app, std::string const& name, std::string const& what);
    std::string const& path() const { return path_; }  ///< empty: nobody asked
    /// Where steps are noted, or null where nobody asked. Fails where the file cannot be made, so
    /// that an hour of work does not end with that.
    Result<Trace*> on(int workers);
    /// Where steps are noted, after on(); null: nowhere.
    Trace* get() const { return trace_.get(); }
    /// Writes what was noted; `item` says what the steps count, as "unit". Adds the file's name.
    Status save(std::string const& item, std::vector<std::string>& files) const;

  private:
    std::string path_;
    std::shared_ptr<Trace> trace_ = {};  // copies of a job share one
};

}  // namespace sluice::cli
