// Checkpoints: a reconstruction between two iterations as an HDF5 file, with all that decides about
// the next one.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>

#include "domain/ptychography/archive.h"
#include "domain/ptychography/checkpoint/digest.h"
#include "domain/ptychography/state.h"
#include "format/hdf5/object/object.h"

namespace sluice::ptycho {

/// How far a reconstruction is.
struct Reached {
    index stage = 0;      ///< from 0
    index iteration = 0;  ///< of it, done
    std::vector<stem4d::PtychographyRound> rounds = {};
    std::vector<std::string> notes = {};
};

/// Shows what a stage remembers beside the state.
template <class Real>
using KeepStage = std::function<Status(Archive<Real>&)>;

/// Writes state and stage; the file is there whole or not at all, and the one before stays until
/// then. All ranks call it, and the first one writes.
template <class Real>
Status save_checkpoint(std::string const& path, Belongs const& belongs, Share const& share,
                       stem4d::PtychographyOptions const& options, Reached const& reached,
                       State<Real>& state, KeepStage<Real> const& stage);

/// A checkpoint that fits the patterns and the options. All ranks call its functions, and the first
/// one reads: another machine may have an older file of that name, or none.
class Checkpoint {
  public:
    /// Fails where it belongs to other patterns, or where an option that changes the result
    /// differs. The iterations of the stage that it is in, and the stages after that, may be
    /// others. `share` stays longer than the checkpoint.
    static Result<Checkpoint> open(std::string const& path, Belongs const& belongs,
                                   Share const& share, stem4d::PtychographyOptions const& options);

    Reached const& reached() const { return reached_; }
    template <class Real>
    Status restore(State<Real>& state) const;
    template <class Real>
    Status restore_stage(KeepStage<Real> const& stage) const;

  private:
    Checkpoint(std::string path, Share const& share) : path_(std::move(path)), share_(&share) {}
    Status open_file(Belongs const& belongs);
    Status check_reached(stem4d::PtychographyOptions const& options) const;
    Status read_notes();
    Status in_file(Status status) const;
    std::string path_;
    Share const* share_;
    std::optional<hdf5::object::Object> root_;  ///< on the first rank
    Reached reached_;
};

extern template Status save_checkpoint(std::string const&, Belongs const&, Share const&,
                                       stem4d::PtychographyOptions const&, Reached const&,
                                       State<float>&, KeepStage<float> const&);
extern template Status save_checkpoint(std::string const&, Belongs const&, Share const&,
                                       stem4d::PtychographyOptions const&, Reached const&,
                                       State<double>&, KeepStage<double> const&);

}  // namespace sluice::ptycho
