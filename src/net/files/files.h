// Files: hears acquisitions while their files are written: one, or those that appear in a folder.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>

#include "net/files/growing.h"
#include "net/listen.h"

namespace sluice::net::files {

/// Whether it is a path, and no address: it exists, or has the ending of a file of frames.
bool is_path(std::string const& where, OpenOptions const& options);

class Files final : public Receiver {
  public:
    /// A file, which may not be there yet; the prefix of a master ("run/scan"); or a folder.
    static Result<std::unique_ptr<Receiver>> watch(std::string const& path, StreamOptions options);

    Result<std::optional<Series>> wait_for_series(GoOn const& go_on) override;
    void receive(FrameRing& ring, GoOn const& go_on) override;

  private:
    Files(std::string path, StreamOptions options, bool folder);
    void look_around();
    Result<bool> opens(Growing& candidate);
    Result<Came> take(FrameRing& ring);
    void know(Growing const& files);
    Series series() const;

    std::string path_;
    StreamOptions options_;
    bool folder_;
    std::set<Identity> known_ = {};  ///< were taken, or were there before
    std::vector<Growing> candidates_ = {};
    std::optional<Growing> now_ = {};  ///< of the series
};

}  // namespace sluice::net::files
