// Scans: acquisitions of 4D-STEM as a domain of the viewer.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/view/domain.h"
#include "app/view/stem4d/live/live_source.h"
#include "app/view/stem4d/loader.h"
#include "app/view/stem4d/responder.h"

namespace sluice::app {

/// A dataset that a program opened, and its scan where it loaded that, too.
struct GivenScan {
    Dataset dataset;
    std::shared_ptr<Scan const> scan = {};
};

struct ScansOptions {
    std::vector<std::string> paths;  ///< files and folders; folders are watched
    /// What is open already, after the paths.
    std::vector<GivenScan> given = {};
    /// Addresses of streams whose series are shown while they come, and how they are heard.
    std::vector<std::string> streams = {};
    stem4d::LiveOptions stream = {};
    OpenOptions open;
    LoadOptions load;
    Device device = Device::cpu();
    KnownCrystals crystals = {};
    /// Words of the command line that say how all is opened and loaded, for the page to repeat.
    std::vector<std::string> loading;
    Json session;  ///< what the page is to begin with, or null
    /// How often folders and files are looked at.
    std::chrono::milliseconds look_every = std::chrono::seconds(2);
};

class Scans final : public Domain {
  public:
    /// Fails where no path is a dataset or a folder.
    static Result<std::unique_ptr<Domain>> open(ScansOptions options);

    std::string_view page() const override { return "/"; }
    Json hello() const override;
    std::vector<std::string> const& notes() const override { return notes_; }
    /// A pass over the files must not keep answers from memory waiting, nor the disks of all
    /// patterns one that is short.
    Threads threads() const override { return {.quick = 1, .slow = 2}; }
    Result<Work> understand(std::string const& op, Fields const& fields) override;
    Json about(Engine const& engine, Job const& job) const override;
    /// Begins to load.
    void begin(Shell const& shell) override;
    void end() override {
        sources_.clear();
        loader_.reset();
    }
    void page_opens() override { loader_->give_way(); }

  private:
    explicit Scans(ScansOptions options);
    bool collect();
    /// Connects to the streams.
    Status listen();
    Json describe_sources() const;
    void tell_all(Shell const& shell);
    void wire(Shell const& shell, LiveSourceOptions& options);
    LoaderOptions loader_options(Shell const& shell);
    /// Says that a request was heard, and then does it.
    void obey(Engine& engine, Job const& job, ScanRequest const& request);

    ScansOptions options_;
    Catalog catalog_;
    std::vector<std::string> notes_, folders_;
    Responder responder_;
    std::unique_ptr<Loader> loader_;
    std::vector<std::unique_ptr<LiveSource>> sources_;
};

}  // namespace sluice::app
