// Results: finished reconstructions as a domain of the viewer.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/view/domain.h"
#include "app/view/ptychography/request.h"
#include "sluice/ptychography_file.h"

namespace sluice::app {

/// A result, and where it is from.
struct ShownResult {
    std::string name;
    std::string path = {};  ///< empty: it is in no file
    stem4d::SavedPtychography saved = {};
};

/// Pages choose among them: requests name a job by its number, the first one is 1.
class Results final : public Domain {
  public:
    /// Loads files, and the results in folders, with no more memory than `most_bytes`; 0: as much
    /// as there is. The `given` results come after them. Fails where none can be shown.
    static Result<std::unique_ptr<Domain>> open(std::vector<std::string> const& paths,
                                                std::uint64_t most_bytes = 0,
                                                std::vector<ShownResult> given = {});
    explicit Results(std::vector<ShownResult> results, std::vector<std::string> notes = {});

    std::string_view page() const override { return "/ptychography.html"; }
    Json hello() const override;
    std::vector<std::string> const& notes() const override { return notes_; }
    /// A large object takes a moment to send, and the probe should not wait for it.
    Threads threads() const override { return {.quick = 2}; }
    Result<Work> understand(std::string const& op, Fields const& fields) override;

  private:
    void answer(MonitorRequest const& request, Engine& engine, Job const& job) const;

    std::vector<ShownResult> results_;
    std::vector<std::string> notes_;
    Json told_ = Json::array();  // of each, its job and its state
};

}  // namespace sluice::app
