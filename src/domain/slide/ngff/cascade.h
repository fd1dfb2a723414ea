// One plane on its way through the levels: bands come in, chunks of every level go out.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <mutex>
#include <optional>

#include "device/per_worker.h"
#include "domain/slide/ngff/cover.h"
#include "domain/slide/ngff/halver.h"
#include "domain/slide/ngff/journal.h"

namespace sluice::slide::ome {

/// What is done with the chunks.
enum class Purpose : std::uint8_t { write, compare };

/// The arrays of an image, and what was counted while its chunks went through.
struct Output {
    Plan const& plan;
    ImagePlan const& image;
    std::vector<zarr::Array> levels;
    Purpose purpose = Purpose::write;
    double fill = 0;
    StepRecord step = {};  ///< of the step at hand
    std::mutex mutex = {};
    /// Tells which part of a band's chunks is made, 0 to 1; false: stop. Each lane calls it from
    /// one thread at a time.
    std::function<bool(double part)> go_on = [](double) { return true; };
};

/// A plane of an image, or several where pixels have samples.
struct PlaneAt {
    index t = 0, component = 0, z = 0;  ///< of the first sample
};

/// Makes the levels of a pass out of one strip of one plane.
class Cascade {
  public:
    Cascade(Output& output, Pass const& pass);

    /// Begins the columns of a run at one of its bands; those before it have been done already.
    Status begin(PlaneAt at, BandRun const& run, index band);
    /// Memory for the next band of the source level, and what of the level it is.
    PixelRows source();
    Rect where() const;
    /// Fills it from the level's array, for passes after the first.
    Status load();
    /// Takes the band in, with all that follows from it.
    Status finish();

  private:
    struct State {
        Buffer pixels;
        index x = 0, width = 0;     ///< columns of the level
        index bands = 0, rows = 0;  ///< bands that are done, rows of the next that exist
    };
    struct Job;
    /// Of a worker, for the chunk that it is at.
    struct Room {
        Buffer pixels = {}, stored = {};
        zarr::ChunkScratch chunk = {};
    };

    LevelPlan const& level(int l) const {
        return output_.image.levels[static_cast<std::size_t>(l)];
    }
    State& state(int l) { return states_[static_cast<std::size_t>(l - pass_.source)]; }
    index rows_of_band(int l, index band) const;
    PixelRows rows(int l);
    Status make_halver();
    Status halve(int l);
    void next_band(int l);
    void collect(int l, std::vector<std::unique_ptr<Job>>& jobs);
    Status run(std::vector<std::unique_ptr<Job>> const& jobs);
    Status chunk(Job& job, index number, Room& room);
    Status write(Job& job, index number, std::span<std::byte> pixels, Room& room);
    Status compare(Job const& job, index number, std::span<std::byte> pixels, Room& room);
    Status read_band(int l, index band);

    Output& output_;
    Pass pass_;
    PlaneAt at_ = {};
    std::vector<State> states_;
    PerWorker<Room> rooms_;
    std::optional<Halver> halver_;  ///< where the means are not made by this processor
};

}  // namespace sluice::slide::ome
