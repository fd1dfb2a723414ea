// Receives the hits of a Timepix3 readout, and makes images of them by their times.
// SPDX-License-Identifier: Apache-2.0
#include "net/timepix3/timepix3.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <thread>

#include "format/tpx3/tpx3.h"

namespace sluice::net::timepix3 {

using tpx3::edge_of;
using tpx3::Found;
using tpx3::kind_of;
using tpx3::packet_bytes;
using tpx3::PacketKind;
using tpx3::Sent;
using tpx3::steps_per_s;
using Kind = Found::Kind;

Timepix3::Timepix3(std::string address, StreamOptions options, ChipLayout const& layout)
    : address_(std::move(address)),
      options_(std::move(options)),
      how_(options_.open.format.of<Tpx3Options>()),
      layout_(layout) {}

Result<std::unique_ptr<Receiver>> Timepix3::connect(std::string const& address,
                                                    StreamOptions options) {
    auto const wrong = [&](std::string what) {
        return Error{Code::invalid_argument, std::move(what), address};
    };
    if (!options.channel.empty()) return wrong("Timepix3 names no channels; leave --channel away");
    SLUICE_CHECK(config::check_fields(options.open, config::Fields<OpenOptions>(tpx3::fields)));
    auto const how = options.open.format.of<Tpx3Options>();
    bool const lines = !how.one_edge && options.line_images > 0;
    if (!lines && !(how.point_s > 0))
        return wrong(
            "the hits of Timepix3 lie at points by their times; give the scan (--scan "
            "ROWSxCOLS) and a start of each line, or the seconds of a point (--point-s)");
    if (how.point_s > 0 && how.point_s * steps_per_s < 16)
        return wrong("points are at least 25 ns long; give another --point-s");
    SLUICE_TRY(ChipLayout const layout, ChipLayout::parse(how.chip_layout));
    std::unique_ptr<Timepix3> made(new Timepix3(address, std::move(options), layout));
    SLUICE_TRY(made->stream_, TcpStream::call(address, glance));
    return std::unique_ptr<Receiver>(std::move(made));
}

Result<bool> Timepix3::reach(GoOn const& go_on) {
    while (!stream_) {
        if (!go_on()) return false;
        SLUICE_TRY(stream_, TcpStream::call(address_, glance));
        if (!stream_) std::this_thread::sleep_for(glance);
    }
    return true;
}

// Within a glance.
Result<bool> Timepix3::fill(std::size_t wanted) {
    if (!stream_) {
        std::this_thread::sleep_for(glance);
        return false;
    }
    TcpStream::Came const came = stream_->receive(inbox_.room(wanted), glance);
    inbox_.came(came.bytes);
    if (!came.ended.empty()) {
        ended_ = came.ended;
        stream_.reset();
    }
    return came.bytes > 0;
}

Result<bool> Timepix3::counts(int chip) {
    std::string problem;
    auto its = chips_.counts(chip, problem);
    if (!problem.empty()) problems().tell(problem, fmt::format("of chip {}", chip));
    if (!its) its.error().file = address_;
    return its;
}

// False: none came within a glance.
Result<bool> Timepix3::next_chunk() {
    inbox_.pass(std::exchange(chunk_, 0));
    packets_ = {};
    for (bool quiet = false;;) {
        Found const found = tpx3::find_chunk(inbox_.waiting(), quiet);
        if (found.kind == Kind::noise) {
            problems().tell("bytes that are no chunk",
                            found.wrong.empty() ? "they begin none (TPX3)" : found.wrong);
            damaged_ = true;
            inbox_.pass(found.size);
        } else if (found.kind == Kind::more) {
            if (quiet) break;
            SLUICE_TRY(bool const came, fill(found.wanted));
            quiet = !came;
        } else {
            chunk_ = found.size;
            SLUICE_TRY(bool const its, counts(found.chip));
            if (its) packets_ = found.packets;
            its_chip_ = found.chip;
            return true;
        }
    }
    if (!stream_ && !inbox_.waiting().empty()) {
        problems().tell("chunks that were cut off", ended_);
        damaged_ = true;
        inbox_.clear();
    }
    return false;
}

std::optional<Sent> Timepix3::packet() {
    if (packets_.empty()) return {};
    Sent p{.chip = its_chip_};
    std::memcpy(&p.bits, packets_.data(), packet_bytes);
    packets_ = packets_.subspan(packet_bytes);
    return p;
}

void Timepix3::hear(Sent const& sent, ScanClock& clock) {
    auto const tell = [&](std::string_view what, std::uint64_t bits) {
        problems().tell(what, fmt::format("{:016x}", bits));
    };
    auto const take = [&](Sent const& p) {
        tpx3::give(p, believed_.times(), layout_, how_.line_edge, clock, tell);
    };
    believed_.hear(sent, take, tell);
}

Result<std::optional<Series>> Timepix3::wait_for_series(GoOn const& go_on) {
    if (!ended_.empty() || !stream_) {
        believed_ = {}, packets_ = {}, chunk_ = 0;
        inbox_.clear();
        ended_.clear();
    }
    early_.clear();
    bool begun = false;
    while (!begun) {
        if (!go_on()) return std::optional<Series>();
        if (!stream_) {
            SLUICE_TRY(bool const there, reach(go_on));
            if (!there) return std::optional<Series>();
        }
        if (packets_.empty()) {
            SLUICE_TRY(bool const came, next_chunk());
            if (!came) continue;
        }
        while (!begun && !packets_.empty()) {
            Sent const sent = *packet();
            std::uint64_t const p = sent.bits;
            // Hits may come before the start that they follow; half of them are old enough to go.
            constexpr std::size_t most = std::size_t{1} << 20;
            if (early_.size() >= most) early_.erase(early_.begin(), early_.begin() + most / 2);
            early_.push_back(sent);
            begun = kind_of(p) == PacketKind::edge && edge_of(p).edge == how_.line_edge;
        }
    }
    Series s{.name = fmt::format("{}", ++number_)};
    Dataset& d = s.dataset;
    d.path = address_;
    d.format = "Timepix3";
    d.dtype = DType::u16;
    d.rows = layout_.rows(), d.cols = layout_.cols();
    d.pixel_mask = layout_.gaps();
    d.dwell_s = how_.point_s;
    d.notes.emplace_back("images are made of hits by their times; each counts 1");
    return std::optional<Series>(std::move(s));
}

// Hits were lost, nobody knows of when: images within a window are not made.
Result<Came> Timepix3::listen_once(ScanClock& clock) {
    for (Sent const& p : std::exchange(early_, {})) hear(p, clock);
    if (packets_.empty()) {
        SLUICE_TRY(bool const came, next_chunk());
        auto const newest = believed_.times().newest();
        if (damaged_ && newest) {
            auto const window = std::llround(how_.window_s * steps_per_s);
            clock.damaged(*newest - window, *newest + window);
            damaged_ = false;
        }
        if (!came) {
            if (newest) clock.settle(*newest);
            bool const over = newest && !stream_ && clock.reached_last(*newest);
            if (over) clock.finish(*newest);
            return over || clock.done() ? Came::end : Came::nothing;
        }
    }
    while (!packets_.empty()) {
        Bytes const here = packets_;
        Sent const sent = *packet();
        std::uint64_t const p = sent.bits;
        if (clock.all_lines() && !how_.one_edge && kind_of(p) == PacketKind::edge &&
            edge_of(p).edge == how_.line_edge) {
            packets_ = here;  // it begins the next scan
            clock.finish(*believed_.times().newest());
            return Came::end;
        }
        hear(sent, clock);
    }
    if (believed_.times().newest()) clock.pass(*believed_.times().newest());
    return clock.done() ? Came::end : Came::message;
}

void Timepix3::receive(FrameRing& ring, GoOn const& go_on) {
    bool const lines = !how_.one_edge && options_.line_images > 0;
    bool const wide = layout_.rows() * layout_.cols() > index{1} << 16;
    ScanClock clock({.images = ring.images(),
                     .per_line = lines ? options_.line_images : 0,
                     .dwell = how_.point_s * steps_per_s,
                     .window = std::llround(how_.window_s * steps_per_s),
                     .wide = wide},
                    [&](index image, Bytes pixels, std::shared_ptr<void const> owner) {
                        EncodedFrame const frame{
                            .encoding = wide ? Encoding::wide_hits : Encoding::hits,
                            .bytes = pixels};
                        put_image(ring, problems(), static_cast<std::uint64_t>(image), 0, frame,
                                  std::move(owner));
                    });
    Listening how{.patience_s = options_.patience_s, .without = "the last point of the scan"};
    how.next = [&] { return listen_once(clock); };
    how.cut_short = [] { return std::string(); };
    how.all_sent = [&] {
        bool const all =
            believed_.times().newest() && clock.reached_last(*believed_.times().newest());
        if (all) clock.finish(*believed_.times().newest());
        return all;
    };
    how.broken = [&] { return ended_; };
    listen(ring, go_on, how);
    report(clock.counts());
}

void Timepix3::report(tpx3::ClockCounts const& c) {
    auto const tell = [&](std::string_view what, index count) {
        if (count > 0) problems().tell(what, {}, count);
    };
    tell("hits that came after their point was complete", c.late);
    tell("hits without room", c.no_room);
    tell("points beside damaged bytes", c.hurt);
    tell("line starts that did not come, and were placed by time", c.lost_starts);
    tell("line starts that come too early", c.early_starts);
    tell("lines with a pause behind them", c.longer);
    tell("line counters that jump without a line", c.jumped);
    tell("lines that ended before their points", c.shorter);
}

}  // namespace sluice::net::timepix3
