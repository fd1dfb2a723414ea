// Sends a dataset as a DECTRIS detector sends a series.
// SPDX-License-Identifier: Apache-2.0
#include "net/dectris/simulator.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "base/run.h"
#include "base/splitmix.h"
#include "net/dectris/messages.h"
#include "net/dectris/packed_images.h"

namespace sluice::net::dectris {
namespace {

using Clock = std::chrono::steady_clock;
using Buffer = std::shared_ptr<std::vector<std::byte> const>;

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

Start start_of(Dataset const& d, SimulatorOptions const& o, index images) {
    Start s;
    s.images = images;
    s.rows = d.rows, s.cols = d.cols;
    s.dtype = d.dtype;
    s.channels = {"threshold_1"};
    s.saturation = d.saturation;
    s.mask_applied = d.sentinel;
    if (!d.pixel_mask.empty()) s.pixel_masks["threshold_1"] = d.pixel_mask;
    s.energy_ev = d.energy_kv * 1e3;
    s.frame_time_s = 1 / o.rate;
    s.pixel_m = d.detector_pixel_um * 1e-6;
    s.detector = "Simulated by Sluice";
    s.arm_date = "2026-01-01T00:00:00Z";
    s.scan = d.scan;
    return s;
}

/// One run of simulate().
class Simulation {
  public:
    Simulation(Dataset const& dataset, Socket& socket, SimulatorOptions const& options,
               Sent const& sent)
        : dataset_(dataset),
          socket_(socket),
          options_(options),
          sent_(sent),
          packed_(dataset, options.compression) {
        frames_ =
            frame_of({.scan = dataset.scan, .order = options.order, .flyback = options.flyback});
        images_ = frames_.empty() ? dataset.frames : std::ssize(frames_);
        start_ = start_of(dataset, options, images_);
    }

    Result<SimulatorReport> run() {
        for (index k = 0; k < options_.repeat && !stopped_; ++k) SLUICE_CHECK(series(k));
        report_.as_stored = packed_.as_stored();
        return report_;
    }

  private:
    // An image of the flyback is the last one of its row again.
    Result<Buffer> message(index image) {
        index i = image;
        while (!frames_.empty() && frames_[static_cast<std::size_t>(i)] < 0) --i;
        index const frame = frames_.empty() ? i : frames_[static_cast<std::size_t>(i)];
        SLUICE_TRY(Bytes const bytes, packed_.pack(frame));
        if (bytes.empty()) return Buffer{};
        Image const what{.image_id = static_cast<std::uint64_t>(image), .data = packed_.array()};
        return std::make_shared<std::vector<std::byte> const>(write_image(what, start_, bytes));
    }

    // All messages of a series, as long as they fit into memory.
    Status prepare() {
        made_.clear();
        std::uint64_t bytes = 0;
        for (index i = 0; i < images_; ++i) {
            if (stop(0)) return cancelled();
            SLUICE_TRY(Buffer one, message(i));
            if (one) bytes += one->size();
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
    Status send_surely(std::vector<std::byte> message) {
        auto const owner = std::make_shared<std::vector<std::byte>>(std::move(message));
        auto const until = Clock::now() + std::chrono::duration<double>(options_.wait_s);
        while (Clock::now() < until) {
            SLUICE_TRY(bool const gone, socket_.send(Bytes(*owner), owner, try_for));
            if (gone) return {};
            if (stop(0)) return cancelled();
        }
        return Error{Code::io,
                     fmt::format("nobody took the message in {:g} s (a receiver is not there, or "
                                 "does not read) start `sluice live {}` first, or wait longer",
                                 options_.wait_s, socket_.address()),
                     socket_.address()};
    }

    Status send(Buffer const& message) {
        SLUICE_TRY(bool const gone,
                   socket_.send(Bytes(*message), message, std::chrono::milliseconds{0}));
        report_.sent += gone;
        report_.no_room += !gone;
        if (gone) report_.bytes += message->size();
        return {};
    }

    // Half of the damaged messages end early, the others have some wrong bytes.
    Buffer damage(Buffer const& message, index image, Chance const& chance) {
        auto copy = std::make_shared<std::vector<std::byte>>(*message);
        double const where = chance.number(image, place_kind);
        auto const at = static_cast<std::size_t>(where * static_cast<double>(copy->size()));
        if (image % 2 == 0)
            copy->resize(at);
        else
            for (std::size_t i = at; i < std::min(at + 16, copy->size()); ++i)
                (*copy)[i] ^= std::byte{0xff};
        ++report_.corrupted;
        return copy;
    }

    void wait_for_turn(index image, Clock::time_point begin) {
        auto const due =
            begin + std::chrono::duration_cast<Clock::duration>(
                        std::chrono::duration<double>(static_cast<double>(image) / options_.rate));
        auto const now = Clock::now();
        if (now < due)
            std::this_thread::sleep_until(due);
        else
            report_.late += now - due > std::chrono::milliseconds{1};
    }

    Status images(index series) {
        Chance const chance(options_.seed, series);
        auto const begin = Clock::now();
        Buffer held;  // comes after the next one
        for (index i = 0; i < images_; ++i) {
            if (options_.stop_at && i >= *options_.stop_at) break;
            wait_for_turn(i, begin);
            if (i % 64 == 0 && stop(i)) break;
            Buffer own;
            if (made_.empty()) {
                SLUICE_TRY(own, message(i));
            } else {
                own = made_[static_cast<std::size_t>(i)];
            }
            if (own && chance.hits(i, drop_kind, options_.drop)) ++report_.dropped, own = {};
            if (own && chance.hits(i, corrupt_kind, options_.corrupt)) own = damage(own, i, chance);
            if (own && !held && chance.hits(i, reorder_kind, options_.reorder)) {
                ++report_.reordered;
                held = std::move(own);
                continue;
            }
            if (own) SLUICE_CHECK(send(own));
            if (own && chance.hits(i, duplicate_kind, options_.duplicate)) {
                ++report_.duplicated;
                SLUICE_CHECK(send(own));
            }
            if (held) SLUICE_CHECK(send(std::exchange(held, {})));
        }
        if (held) SLUICE_CHECK(send(held));
        report_.images += images_;
        report_.seconds += std::chrono::duration<double>(Clock::now() - begin).count();
        return {};
    }

    Status series(index number) {
        start_.series_id = static_cast<std::uint64_t>(number + 1);
        start_.series_unique_id = fmt::format("sluice-{}-{}", options_.seed, number + 1);
        // The messages of a series name it, so each has its own.
        SLUICE_CHECK(prepare());
        SLUICE_CHECK(send_surely(write_start(start_)));
        SLUICE_CHECK(images(number));
        ++report_.series;
        if (options_.stop_at && *options_.stop_at < images_) return {};
        return stopped_ ? Status{} : send_surely(write_end(start_));
    }

    Dataset const& dataset_;
    Socket& socket_;
    SimulatorOptions const& options_;
    Sent const& sent_;
    PackedImages packed_;
    std::vector<index> frames_ = {};  // [image]
    index images_ = 0;
    Start start_ = {};
    std::vector<Buffer> made_ = {};
    SimulatorReport report_ = {};
    bool stopped_ = false;
};

}  // namespace

Result<Socket> simulator_socket(std::string const& address, SimulatorOptions const& options) {
    // What the receiver has not taken yet is not forgotten at the end.
    return Socket::push(
        address,
        {.queue = static_cast<int>(options.buffer),
         .linger = std::chrono::milliseconds(static_cast<std::int64_t>(options.wait_s * 1e3))});
}

Result<SimulatorReport> simulate(Dataset const& dataset, Socket& socket,
                                 SimulatorOptions const& options, Sent const& sent) {
    if (dataset.dtype != DType::u8 && dataset.dtype != DType::u16 && dataset.dtype != DType::u32)
        return Error{Code::unsupported,
                     fmt::format("detectors of this protocol send uint8, uint16 and uint32 (this "
                                 "scan has {}) name another scan",
                                 name_of(dataset.dtype)),
                     dataset.path};
    if (!(options.rate > 0) || options.buffer < 1)
        return Error{Code::invalid_argument, "a rate and a buffer are above 0; give such"};
    return Simulation(dataset, socket, options, sent).run();
}

}  // namespace sluice::net::dectris
