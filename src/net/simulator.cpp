// Sends a dataset as a detector sends a series.
// SPDX-License-Identifier: Apache-2.0
#include "net/simulator.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "base/run.h"
#include "base/splitmix.h"
#include "net/control/simulated.h"
#include "net/wire.h"

namespace sluice::net {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds try_for{50};

/// What happens to an image, drawn from its number: the same in every run.
class Chance {
  public:
    Chance(std::uint64_t seed, index series)
        : seed_(splitmix::mix(seed + 1000003 * static_cast<std::uint64_t>(series))) {}
    bool hits(index image, std::uint64_t kind, double probability) const {
        return probability > 0 && number(image, kind) < probability;
    }
    double number(index image, std::uint64_t kind) const {
        std::uint64_t const z = splitmix::mix(
            seed_ + splitmix::golden * (8 * static_cast<std::uint64_t>(image) + kind));
        return static_cast<double>(z >> 11) * 0x1p-53;
    }

  private:
    std::uint64_t seed_;
};
enum Kind : std::uint64_t { drop_kind, duplicate_kind, reorder_kind, corrupt_kind, place_kind };

/// One run of simulate().
class Simulation {
  public:
    Simulation(Dataset const& dataset, Wire& wire, SimulatorOptions const& options,
               Sent const& sent)
        : wire_(wire), options_(options), sent_(sent) {
        frames_ =
            frame_of({.scan = dataset.scan, .order = options.order, .flyback = options.flyback});
        images_ = whole_ = frames_.empty() ? dataset.frames : std::ssize(frames_);
    }

    Result<SimulatorReport> run() {
        for (index k = 0; k < options_.repeat && !stopped_; ++k)
            SLUICE_CHECK(options_.control ? armed_series(*options_.control) : series(k));
        index const lost = wire_.finish(
            std::chrono::milliseconds(static_cast<std::int64_t>(options_.wait_s * 1e3)));
        report_.sent -= lost, report_.no_room += lost;
        report_.as_stored = wire_.as_stored();
        return report_;
    }

  private:
    // A series that somebody arms.
    Status armed_series(SimulatedDetectorState& control) {
        auto const until = Clock::now() + std::chrono::duration<double>(options_.wait_s);
        auto const armed = control.wait_armed([&] { return Clock::now() < until && !stop(0); });
        if (!armed && stopped_) return cancelled();
        if (!armed)
            return Error{Code::io,
                         fmt::format("nobody armed the detector in {:g} s; arm it by "
                                     "`sluice live --arm`, or wait longer",
                                     options_.wait_s),
                         wire_.address()};
        images_ = armed->images;
        rate_ = armed->rate;
        Status sent = series(static_cast<index>(armed->series) - 1);
        control.sent_all();
        control.wait_released([&] { return !stop(0); });
        return sent;
    }
    bool triggered() {
        return !options_.control || options_.control->wait_triggered([&] { return !stop(0); });
    }
    bool was_cancelled() const { return options_.control && options_.control->cancelled(); }

    // An image of the flyback is the last one of its row again.
    Result<Packet> message(index image) {
        // Who arms the detector may ask for more images than there are.
        index i = image % whole_;
        while (!frames_.empty() && frames_[static_cast<std::size_t>(i)] < 0) --i;
        return wire_.image(image, frames_.empty() ? i : frames_[static_cast<std::size_t>(i)]);
    }

    // All messages of a series, as long as they fit into memory.
    Status prepare() {
        made_.clear();
        std::uint64_t bytes = 0;
        for (index i = 0; i < images_; ++i) {
            if (stop(0)) return cancelled();
            SLUICE_TRY(Packet one, message(i));
            bytes += one.bytes();
            if (bytes > options_.memory) {
                made_.clear();
                report_.prepared = false;
                return {};
            }
            made_.push_back(std::move(one));
        }
        return {};
    }

    bool stop(index done) {
        stopped_ = stopped_ || (sent_ && !sent_(done, images_));
        return stopped_;
    }

    // What must come waits for the receiver, and not for ever.
    Status send_surely(Packet const& message) {
        auto const until = Clock::now() + std::chrono::duration<double>(options_.wait_s);
        while (Clock::now() < until) {
            SLUICE_TRY(bool const gone, wire_.send(message, try_for));
            if (gone || was_cancelled()) return {};
            if (stop(0)) return cancelled();
        }
        return Error{Code::io,
                     fmt::format("nobody took the message in {:g} s (a receiver is not there, or "
                                 "does not read) start `sluice live {}` first, or wait longer",
                                 options_.wait_s, wire_.address()),
                     wire_.address()};
    }

    Status send(Packet const& message) {
        SLUICE_TRY(bool const gone, wire_.send(message, std::chrono::milliseconds{0}));
        report_.sent += gone;
        report_.no_room += !gone;
        if (gone) report_.bytes += message.bytes();
        return {};
    }

    // Half of the damaged messages end early, or a part of them, the others have some wrong bytes.
    Packet damage(Packet message, index image, Chance const& chance) {
        double const where = chance.number(image, place_kind);
        auto at = static_cast<std::size_t>(where * static_cast<double>(message.bytes()));
        std::size_t part = 0;
        while (at >= message.parts[part]->size()) at -= message.parts[part++]->size();
        auto copy = std::make_shared<std::vector<std::byte>>(*message.parts[part]);
        if (image % 2 == 0)
            copy->resize(at);
        else
            for (std::size_t i = at; i < std::min(at + 16, copy->size()); ++i)
                (*copy)[i] ^= std::byte{0xff};
        message.parts[part] = std::move(copy);
        ++report_.corrupted;
        return message;
    }

    void wait_for_turn(index image, Clock::time_point begin) {
        auto const due =
            begin + std::chrono::duration_cast<Clock::duration>(
                        std::chrono::duration<double>(static_cast<double>(image) / rate_));
        auto const now = Clock::now();
        if (now < due)
            std::this_thread::sleep_until(due);
        else
            report_.late += now - due > std::chrono::milliseconds{1};
    }

    Status images(index series) {
        Chance const chance(options_.seed, series);
        auto const begin = Clock::now();
        Packet held;  // comes after the next one
        for (index i = 0; i < images_; ++i) {
            if (options_.stop_at && i >= *options_.stop_at) break;
            wait_for_turn(i, begin);
            if ((i % 64 == 0 && stop(i)) || was_cancelled()) break;
            Packet own;
            if (made_.empty()) {
                SLUICE_TRY(own, message(i));
            } else {
                own = made_[static_cast<std::size_t>(i)];
            }
            if (!own.empty() && chance.hits(i, drop_kind, options_.drop))
                ++report_.dropped, own = {};
            if (!own.empty() && chance.hits(i, corrupt_kind, options_.corrupt))
                own = damage(own, i, chance);
            if (!own.empty() && held.empty() && chance.hits(i, reorder_kind, options_.reorder)) {
                ++report_.reordered;
                held = std::move(own);
                continue;
            }
            if (!own.empty()) SLUICE_CHECK(send(own));
            if (!own.empty() && chance.hits(i, duplicate_kind, options_.duplicate)) {
                ++report_.duplicated;
                SLUICE_CHECK(send(own));
            }
            if (!held.empty()) SLUICE_CHECK(send(std::exchange(held, {})));
        }
        if (!held.empty()) SLUICE_CHECK(send(held));
        report_.images += images_;
        report_.seconds += std::chrono::duration<double>(Clock::now() - begin).count();
        return {};
    }

    Status series(index number) {
        Packet const start = wire_.start(number, images_);
        // The messages of a series name it, so each has its own.
        SLUICE_CHECK(prepare());
        SLUICE_CHECK(send_surely(start));
        if (triggered()) SLUICE_CHECK(images(number));
        ++report_.series;
        if (options_.stop_at && *options_.stop_at < images_) return {};
        Packet const end = wire_.end();
        return stopped_ || end.empty() ? Status{} : send_surely(end);
    }

    Wire& wire_;
    SimulatorOptions const& options_;
    Sent const& sent_;
    std::vector<index> frames_ = {};  // [image]
    index images_ = 0, whole_ = 0;
    double rate_ = options_.rate;
    std::vector<Packet> made_ = {};
    SimulatorReport report_ = {};
    bool stopped_ = false;
};

}  // namespace

Result<SimulatorReport> simulate(Dataset const& dataset, Wire& wire,
                                 SimulatorOptions const& options, Sent const& sent) {
    if (!(options.rate > 0) || options.buffer < 1)
        return Error{Code::invalid_argument, "a rate and a buffer are above 0; give such"};
    return Simulation(dataset, wire, options, sent).run();
}

}  // namespace sluice::net
