// Shows a reconstruction at work to its watcher.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/watching.h"

#include "domain/ptychography/arrays_of.h"

namespace sluice::ptycho {

namespace {

constexpr auto watched_every = std::chrono::milliseconds(200);  // within an iteration

index iterations_of(std::vector<stem4d::PtychographyStage> const& stages) {
    index all = 0;
    for (auto const& stage : stages) all += stage.iterations;
    return all;
}

template <class Real>
Array<std::complex<float>> copy_of(std::vector<Planar<Real>> const& planes, index number) {
    expects(number >= 0 && number < std::ssize(planes));
    return array_of(planes[static_cast<std::size_t>(number)]);
}

}  // namespace

template <class Real>
Watching<Real>::Watching(stem4d::PtychographyOptions const& options, State<Real> const& state,
                         std::vector<stem4d::PtychographyRound> const& rounds,
                         std::vector<std::string> const& notes,
                         std::vector<stem4d::Position> const& started,
                         std::function<double()> floor, std::function<void()> fetch)
    : options_(options),
      state_(state),
      rounds_(rounds),
      notes_(notes),
      started_(started),
      floor_(std::move(floor)),
      fetch_(std::move(fetch)) {}

template <class Real>
Progress Watching<Real>::progress() {
    if (!options_.watch) return options_.progress;
    return [this](std::uint64_t done, std::uint64_t all) {
        if (options_.progress && !options_.progress(done, all)) return false;
        if (std::chrono::steady_clock::now() - last_ >= watched_every) look(true, done, all);
        return true;
    };
}

template <class Real>
void Watching<Real>::iteration(std::uint64_t done, std::uint64_t all) {
    if (options_.watch) look(false, done, all);
}

template <class Real>
void Watching<Real>::look(bool within, std::uint64_t done, std::uint64_t all) {
    stem4d::PtychographyView view{.within = within,
                                  .iterations = iterations_of(options_.stages),
                                  .done = done,
                                  .all = all,
                                  .rounds = rounds_,
                                  .positions = state_.positions,
                                  .started = started_,
                                  .notes = notes_,
                                  .slices = std::ssize(state_.object),
                                  .modes = std::ssize(state_.probe)};
    view.slice = [this](index s) {
        fetch_();
        return copy_of(state_.object, s);
    };
    view.mode = [this](index k) {
        fetch_();
        return copy_of(state_.probe, k);
    };
    view.floor = floor_;
    options_.watch(view);
    // After the watcher's own time, so that a slow one does not take all of it.
    last_ = std::chrono::steady_clock::now();
}

template class Watching<float>;
template class Watching<double>;

}  // namespace sluice::ptycho
