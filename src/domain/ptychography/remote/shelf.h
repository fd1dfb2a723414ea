// Shelf: what a device has, shown to an archive by the names that the host's solvers use.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <list>

#include "domain/ptychography/archive.h"
#include "domain/ptychography/remote/remote_step.h"

namespace sluice::ptycho::remote {

/// Archives write planes later than they see them: they stay as long as this. What an archive puts
/// in their place goes to the device.
class Shelf {
  public:
    Shelf(RemoteStep& step, Archive<float>& archive) : step_(step), archive_(archive) {}

    Archive<float>& archive() { return archive_; }
    /// Slices or modes.
    Status objects(std::string const& name, Z* there);
    Status windows(std::string const& name, Z* there, index count);
    /// The same of real numbers.
    Status real_objects(std::string const& name, float* there);
    Status real_windows(std::string const& name, float* there, index count);
    /// A power, by its root.
    Status root(std::string const& name, float* there);

  private:
    using Planes = std::vector<Planar<float>>;
    Planes& room(index count, index rows, index cols);
    Status show(std::string const& name, Z* there, Planes& planes);
    Status show_reals(std::string const& name, float* there, Planes& planes);

    RemoteStep& step_;
    Archive<float>& archive_;
    std::list<Planes> planes_;
};

}  // namespace sluice::ptycho::remote
