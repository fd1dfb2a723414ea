// What a checkpoint holds beside the arrays: texts in the attributes of its root.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/checkpoint/checkpoint.h"

#include <fmt/format.h>

#include <cmath>

#include "domain/ptychography/checkpoint/beginning.h"
#include "domain/ptychography/checkpoint/reading.h"
#include "domain/ptychography/checkpoint/same_options.h"
#include "domain/ptychography/checkpoint/writing.h"
#include "domain/ptychography/keep_state.h"
#include "format/hdf5/object/value.h"
#include "format/kinds/ptychography.h"

namespace sluice::ptycho {

namespace {

constexpr char const* format_version = "3";
constexpr std::size_t round_numbers = 5;

std::string hex(std::uint64_t number) {
    return fmt::format("{:016x}", number);
}

template <class Real>
void keep_reached(Archive<Real>& archive, Reached& reached) {
    archive.number("reached/stage", reached.stage);
    archive.number("reached/iteration", reached.iteration);
    auto rounds = static_cast<double>(reached.rounds.size());
    archive.number("reached/count", rounds);
    // A damaged number must not take memory.
    reached.rounds.resize(rounds >= 0 && rounds < 1e7 ? static_cast<std::size_t>(rounds) : 0);
    std::vector<double> all;
    for (auto const& r : reached.rounds)
        all.insert(all.end(),
                   {static_cast<double>(r.stage), r.r, r.r_intensity, r.loss, r.seconds});
    archive.numbers("reached/rounds", all);
    for (std::size_t i = 0; i < reached.rounds.size(); ++i) {
        double const* const n = all.data() + i * round_numbers;
        reached.rounds[i] = {static_cast<index>(n[0]), n[1], n[2], n[3], n[4]};
    }
}

Error refused(std::string const& path, std::string message) {
    return {Code::invalid_argument, std::move(message), path};
}

// An attribute of the file; empty where the file lacks it.
Result<std::string> attribute(hdf5::object::Object const& root, std::string const& name) {
    SLUICE_TRY(auto text, hdf5::object::attribute_text(root, name));
    return text.value_or("");
}

Status check_kind(hdf5::object::Object const& root, std::string const& path) {
    SLUICE_TRY(std::string const found, attribute(root, "kind"));
    if (found != checkpoint_kind)
        return refused(
            path,
            "is not a checkpoint of ptychography (its attributes do not say so) give the "
            "file that a reconstruction wrote as its checkpoint");
    SLUICE_TRY(std::string const version, attribute(root, "checkpoint version"));
    if (version != format_version)
        return Error{
            Code::unsupported,
            fmt::format("is a checkpoint of version {} (version {} is read) go on with the "
                        "version of Sluice that wrote it",
                        version.substr(0, 20), format_version),
            path};
    return {};
}

Status check_belongs(hdf5::object::Object const& root, std::string const& path,
                     Belongs const& belongs) {
    SLUICE_TRY(std::string const patterns, attribute(root, "patterns"));
    if (patterns != hex(belongs.patterns))
        return refused(path,
                       "is a checkpoint of other patterns (their counts, bad pixels, size or type "
                       "differ) give the same patterns, or begin without it");
    SLUICE_TRY(std::string const positions, attribute(root, "positions"));
    if (positions != hex(belongs.positions))
        return refused(path,
                       "is a checkpoint of other positions (its reconstruction began with others) "
                       "give the same positions, or begin without it");
    for (auto const& [name, now] : belongs.begins) {
        SLUICE_TRY(std::string const before, attribute(root, "began with " + name));
        if (!same_beginning(before, now))
            return refused(path, fmt::format("began with {} {} ({}) give the same, or begin "
                                             "without the checkpoint",
                                             name == "positions" ? "other" : "another", name,
                                             what_makes(name)));
    }
    return {};
}

Status check_options(hdf5::object::Object const& root, std::string const& path,
                     stem4d::PtychographyOptions const& options, index stage) {
    for (auto const& [name, value] : named_options(options)) {
        if (may_differ(name, stage)) continue;
        SLUICE_TRY(std::string const before, attribute(root, "option " + name));
        if (before != value)
            return refused(path,
                           fmt::format("was made with {} = {} and not {} (this option changes the "
                                       "result) give the same value, or begin without "
                                       "the checkpoint",
                                       name, before.empty() ? "nothing" : before, value));
    }
    return {};
}

}  // namespace

template <class Real>
Status save_checkpoint(std::string const& path, Belongs const& belongs, Share const& share,
                       stem4d::PtychographyOptions const& options, Reached const& reached,
                       State<Real>& state, KeepStage<Real> const& stage) {
    Provenance about = provenance_of("", {});
    about.add("kind", checkpoint_kind);
    about.add("checkpoint version", format_version);
    about.add("patterns", hex(belongs.patterns));
    about.add("positions", hex(belongs.positions));
    for (auto const& [name, value] : belongs.begins) about.add("began with " + name, value);
    for (auto const& [name, value] : named_options(options)) about.add("option " + name, value);
    for (auto const& note : reached.notes) about.add("notes", note);
    Writing<Real> writing(share);
    Reached copy = reached;
    keep_reached(writing, copy);
    keep_state(state, writing);
    writing.prefix = "stage/";
    SLUICE_CHECK(stage(writing));
    return writing.save(path, about);
}

Status Checkpoint::open_file(Belongs const& belongs) {
    SLUICE_TRY(root_, hdf5::object::Object::open_file(path_));
    SLUICE_CHECK(check_kind(*root_, path_));
    return check_belongs(*root_, path_, belongs);
}

Status Checkpoint::check_reached(stem4d::PtychographyOptions const& options) const {
    auto const stages = std::ssize(options.stages);
    if (reached_.stage < 0 || reached_.stage >= stages)
        return refused(path_, fmt::format("is in stage {}, and there are {} stages (finished "
                                          "stages are still needed) give them all",
                                          reached_.stage + 1, stages));
    SLUICE_CHECK(check_options(*root_, path_, options, reached_.stage));
    index const most = options.stages[static_cast<std::size_t>(reached_.stage)].iterations;
    if (reached_.iteration < 1 || reached_.iteration > most)
        return refused(path_, fmt::format("has done {} iterations of stage {}, which has {} now "
                                          "(iterations cannot be undone) give at least as many",
                                          reached_.iteration, reached_.stage + 1, most));
    if (reached_.rounds.empty() || std::ssize(reached_.rounds) < reached_.iteration)
        return Error{Code::corrupt, "the checkpoint lacks iterations (the file is damaged)", path_};
    return {};
}

Status Checkpoint::read_notes() {
    Status status;
    std::string notes;
    if (root_) {
        auto found = attribute(*root_, "notes");
        if (found)
            notes = std::move(*found);
        else
            status = found.error();
    }
    SLUICE_CHECK(share_->agree(status));
    share_->send_text(notes);
    for (std::size_t at = 0; at < notes.size();) {
        std::size_t const end = std::min(notes.find('\n', at), notes.size());
        reached_.notes.push_back(notes.substr(at, end - at));
        at = end + 1;
    }
    return {};
}

Result<Checkpoint> Checkpoint::open(std::string const& path, Belongs const& belongs,
                                    Share const& share,
                                    stem4d::PtychographyOptions const& options) {
    Checkpoint found(path, share);
    SLUICE_CHECK(share.agree(share.leads() ? found.open_file(belongs) : Status{}));
    Reading<double> reading(found.root_, share);
    keep_reached(reading, found.reached_);
    SLUICE_CHECK(reading.status);
    SLUICE_CHECK(share.agree(share.leads() ? found.check_reached(options) : Status{}));
    SLUICE_CHECK(found.read_notes());
    return found;
}

Status Checkpoint::in_file(Status status) const {
    if (status) return status;
    Error error = status.error();
    if (error.file.empty()) error.file = path_;
    return error;
}

template <class Real>
Status Checkpoint::restore(State<Real>& state) const {
    Reading<Real> reading(root_, *share_);
    keep_state(state, reading);
    SLUICE_CHECK(reading.status);
    return in_file(check_places(state));
}

template <class Real>
Status Checkpoint::restore_stage(KeepStage<Real> const& stage) const {
    Reading<Real> reading(root_, *share_);
    reading.prefix = "stage/";
    Status const shown = stage(reading);
    SLUICE_CHECK(reading.status);
    return in_file(shown);
}

template Status save_checkpoint(std::string const&, Belongs const&, Share const&,
                                stem4d::PtychographyOptions const&, Reached const&, State<float>&,
                                KeepStage<float> const&);
template Status save_checkpoint(std::string const&, Belongs const&, Share const&,
                                stem4d::PtychographyOptions const&, Reached const&, State<double>&,
                                KeepStage<double> const&);
template Status Checkpoint::restore(State<float>&) const;
template Status Checkpoint::restore(State<double>&) const;
template Status Checkpoint::restore_stage(KeepStage<float> const&) const;
template Status Checkpoint::restore_stage(KeepStage<double> const&) const;

}  // namespace sluice::ptycho
