// Examinations: the doctor as a domain of the viewer, with one run of it at a time.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <mutex>
#include <optional>

#include "app/view/doctor/request.h"
#include "app/view/domain.h"
#include "sluice/doctor.h"

namespace sluice::app {

/// All pages see the same report and the same run, whoever asked for it. A second run would
/// disturb the first one, so that it is refused; any page may stop the one that there is. A run
/// goes on without its page.
class Examinations final : public Domain {
  public:
    using Examine = std::function<Result<Examination>(ExamineOptions const&)>;
    /// Measures the disk of a folder.
    explicit Examinations(std::string folder, Examine examine = sluice::examine)
        : folder_(std::move(folder)), examine_(std::move(examine)) {}
    /// What was found before a page asks; until then there is no report.
    void show(Examination const& found);

    std::string_view page() const override { return "/doctor.html"; }
    Json hello() const override;
    std::vector<std::string> const& notes() const override { return notes_; }
    /// One measures. The other one refuses further runs meanwhile, and waits otherwise.
    Threads threads() const override { return {.quick = 2}; }
    Result<Work> understand(std::string const& op, Fields const& fields) override;
    void begin(Shell const& shell) override;
    void end() override;

  private:
    /// What is told of a run.
    struct Run {
        bool quick = false, stopping = false;
        std::uint64_t done = 0, total = 0;
        std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();
    };
    class Running;

    void examine(DoctorRequest const& request, Engine& engine, Job const& job);
    Result<Examination> measure(bool quick);
    bool step(std::uint64_t done, std::uint64_t total);
    void stop();
    void tell(std::string const& op);
    Json running_json() const;

    std::string folder_;
    Examine examine_;
    std::vector<std::string> notes_ = {};
    // Held while something is told; taken before mutex_.
    std::mutex telling_;
    std::optional<Shell> shell_;

    mutable std::mutex mutex_;
    Json report_;
    std::optional<Run> run_;
    bool ended_ = false;
};

}  // namespace sluice::app
