// Reads of a disk, timed one by one.
// SPDX-License-Identifier: Apache-2.0
#include "doctor/disk.h"

#include <sys/statvfs.h>

#include <algorithm>
#include <memory>

#include "base/run.h"
#include "base/scratch_file.h"
#include "base/splitmix.h"
#include "doctor/rate.h"

namespace sluice::doctor {
namespace {

constexpr std::size_t unit = ScratchFile::direct_unit;

// Memory that the disk may write into itself.
struct alignas(unit) Piece {
    std::byte bytes[in_order_bytes];
};

// Rates of groups of reads, so that one read of some microseconds is no round by itself.
class Timed {
  public:
    explicit Timed(DiskTime const& time)
        : time_(time), waited_(time.clock->waited()), begin_(time.clock->wall()), last_(begin_) {}

    /// Whether it goes on after another amount was done.
    Result<bool> done(double amount) {
        SLUICE_CHECK(tell_progress(time_.progress, 0, 1));
        pending_ += amount;
        double const now = time_.clock->wall();
        if (now - last_ >= time_.most_s / 20 && now > last_) {
            rates_.push_back(pending_ / (now - last_));
            pending_ = 0;
            last_ = now;
        }
        return now - begin_ < time_.most_s;
    }
    MeasuredRate rate() {
        double const now = time_.clock->wall();
        if (rates_.empty() && pending_ > 0 && now > last_)
            rates_.push_back(pending_ / (now - last_));
        return rate_of(rates_, {now - begin_, 0, time_.clock->waited() - waited_}, 1);
    }

  private:
    DiskTime const& time_;
    double waited_, begin_, last_, pending_ = 0;
    std::vector<double> rates_;
};

Result<MeasuredRate> write_all(ScratchFile& file, std::uint64_t bytes, DiskTime const& time) {
    auto const piece = std::make_unique<Piece>();
    for (std::size_t i = 0; i < in_order_bytes; i += 8) {
        // Some disks write zeros by not writing.
        std::uint64_t const word = splitmix::mix(i * splitmix::golden);
        for (std::size_t k = 0; k < 8; ++k)
            piece->bytes[i + k] = static_cast<std::byte>(word >> 8 * k);
    }
    double const waited = time.clock->waited(), begin = time.clock->wall();
    double s = 0;
    while (file.size() < bytes && s < time.most_s) {
        SLUICE_CHECK(tell_progress(time.progress, 0, 1));
        SLUICE_CHECK(file.write(piece->bytes));
        SLUICE_CHECK(file.flush());
        s = time.clock->wall() - begin;
    }
    return rate_of({static_cast<double>(file.size()) / std::max(s, 1e-9)},
                   {s, 0, time.clock->waited() - waited}, 1);
}

// A rate that cannot be taken here says why; a cancelled one ends everything.
Status take(Result<MeasuredRate> rate, MeasuredRate& into) {
    if (rate) {
        into = *std::move(rate);
    } else if (rate.error().code == Code::cancelled) {
        return rate.error();
    } else {
        into.not_taken = rate.error().text();
    }
    return {};
}

}  // namespace

Result<MeasuredRate> read_in_order(Reader const& reader, DiskTime const& time) {
    auto const piece = std::make_unique<Piece>();
    Timed timed(time);
    for (std::uint64_t at = 0; at + in_order_bytes <= reader.bytes; at += in_order_bytes) {
        SLUICE_CHECK(reader.read(at, piece->bytes));
        SLUICE_TRY(bool const more, timed.done(static_cast<double>(in_order_bytes)));
        if (!more) break;
    }
    return timed.rate();
}

Result<MeasuredRate> read_anywhere(Reader const& reader, DiskTime const& time) {
    auto const piece = std::make_unique<Piece>();
    std::uint64_t const places = reader.bytes / anywhere_bytes;
    if (places == 0) return MeasuredRate{};
    Timed timed(time);
    bool more = true;
    for (std::uint64_t i = 1; more; ++i) {
        SLUICE_CHECK(reader.read(splitmix::mix(i * splitmix::golden) % places * anywhere_bytes,
                                 std::span(piece->bytes).first(anywhere_bytes)));
        SLUICE_TRY(more, timed.done(1));
    }
    return timed.rate();
}

Result<DiskRates> measure_disk(std::string const& folder, std::uint64_t bytes,
                               DiskTime const& time) {
    SLUICE_TRY(ScratchFile file, ScratchFile::create(folder));
    DiskRates out;
    SLUICE_CHECK(take(write_all(file, bytes, time), out.write));
    Reader reader{file.size(), [&file](std::uint64_t at, std::span<std::byte> to) {
                      return file.read_past_cache(at, to);
                  }};
    SLUICE_CHECK(take(read_in_order(reader, time), out.in_order));
    SLUICE_CHECK(take(read_anywhere(reader, time), out.anywhere));
    reader.read = [&file](std::uint64_t at, std::span<std::byte> to) { return file.read(at, to); };
    // Once to fill the cache, once to find it there.
    MeasuredRate first;
    SLUICE_CHECK(take(read_in_order(reader, time), first));
    SLUICE_CHECK(take(read_in_order(reader, time), out.cached));
    return out;
}

std::uint64_t free_bytes(std::string const& folder) {
    struct statvfs s = {};
    if (::statvfs(folder.c_str(), &s) != 0) return 0;
    return static_cast<std::uint64_t>(s.f_bavail) * s.f_frsize;
}

}  // namespace sluice::doctor
