// Receives what Quantum Detectors' Merlin sends on its data port.
// SPDX-License-Identifier: Apache-2.0
#include "net/merlin/merlin.h"

#include <fmt/format.h>

#include <thread>

#include "net/nap.h"

namespace sluice::net::merlin {

using Kind = Found::Kind;

Merlin::Merlin(std::string address, StreamOptions options)
    : address_(std::move(address)), options_(std::move(options)) {}

Result<std::unique_ptr<Receiver>> Merlin::connect(std::string const& address,
                                                  StreamOptions options) {
    if (!options.channel.empty())
        return Error{Code::invalid_argument, "Merlin names no channels; leave --channel away",
                     address};
    // A wrong address is told before anybody waits; who does not listen yet will.
    std::unique_ptr<Merlin> merlin(new Merlin(address, std::move(options)));
    SLUICE_TRY(merlin->stream_, TcpStream::call(address, glance));
    return std::unique_ptr<Receiver>(std::move(merlin));
}

std::uint64_t Merlin::first() const {
    return static_cast<std::uint64_t>(options_.first_image.value_or(1));
}

// Of a connection that is no more: the rest of a message will not come.
void Merlin::forget_rest() {
    if (stream_ || inbox_.waiting().empty()) return;
    problems().tell("messages that were cut off",
                    fmt::format("{} after {} bytes of one", ended_, inbox_.waiting().size()));
    inbox_.clear();
}

Result<bool> Merlin::reach(GoOn const& go_on) {
    while (!stream_) {
        if (!go_on()) return false;
        SLUICE_TRY(stream_, TcpStream::call(address_, glance));
        if (!stream_) std::this_thread::sleep_for(glance);
    }
    return true;
}

// Within a glance; a connection that is no more is made again.
Result<bool> Merlin::fill(std::size_t wanted) {
    if (!stream_) {
        SLUICE_TRY(stream_, TcpStream::call(address_, glance));
        if (!stream_) {
            std::this_thread::sleep_for(glance);
            return false;
        }
    }
    if (drained_) std::this_thread::sleep_for(nap);
    auto const room = inbox_.room(wanted);
    TcpStream::Came const came = stream_->receive(room, glance);
    drained_ = came.bytes > 0 && came.bytes < room.size();
    inbox_.came(came.bytes);
    if (came.bytes > 0) ended_.clear();
    if (!came.ended.empty()) {
        // Who is gone may still seem to answer, and then breaks off: the first reason counts.
        if (ended_.empty()) ended_ = came.ended;
        stream_.reset();
    }
    return came.bytes > 0;
}

// Noise is told once, up to the next message.
std::optional<Found> Merlin::looked_at(Found found) {
    if (found.kind == Kind::noise) {
        if (!found.wrong.empty())
            problems().tell("messages that cannot be read", found.wrong);
        else if (!in_noise_)
            problems().tell("bytes between messages", "they begin no message (MPX)");
        in_noise_ = true;
        inbox_.pass(found.size);
        return {};
    }
    in_noise_ = false;
    if (found.kind != Kind::other) return found;
    problems().tell(
        "messages of an unknown type",
        fmt::format("{} bytes that begin neither with HDR nor with MQ1", found.payload.size()));
    inbox_.pass(found.size);
    return {};
}

// A header or a frame, which still lies in the inbox; empty: none came within a glance.
Result<std::optional<Found>> Merlin::next() {
    for (bool quiet = false;;) {
        int const depth = next_ ? next_->depth : acquisition_.depth;
        Found found = find_message(inbox_.waiting(), depth, quiet);
        if (found.kind != Kind::more) {
            if (auto good = looked_at(std::move(found))) return good;
            continue;
        }
        if (quiet) break;
        // A message is looked at again when as much of it is there as was wanted.
        bool came = true;
        do {
            SLUICE_TRY(came, fill(found.wanted));
        } while (came && inbox_.waiting().size() < found.wanted);
        quiet = !came;
    }
    forget_rest();
    return std::optional<Found>();
}

Series Merlin::series() const {
    Series s{.name = fmt::format("{}", number_),
             .images = acquisition_.frames,
             .scan = acquisition_.scan,
             .scan_from = acquisition_.scan_from};
    Dataset& d = s.dataset;
    d.path = address_;
    d.format = "Merlin";
    d.dtype = layout_.dtype;
    d.rows = layout_.rows, d.cols = layout_.cols;
    d.dwell_s = exposure_s_;
    d.metadata = acquisition_.fields;
    if (layout_.encoding == Encoding::medipix)
        d.metadata.push_back({"counter depth", fmt::format("{}", layout_.medipix.depth), "bit"});
    d.notes.emplace_back("the stream says no pixel mask: only --mask leaves pixels out");
    return s;
}

Result<std::optional<Series>> Merlin::wait_for_series(GoOn const& go_on) {
    bool begun = false;
    while (!pending_) {
        if (!go_on()) return std::optional<Series>();
        if (next_) {
            if (begun) problems().tell("series without images", fmt::format("series {}", number_));
            acquisition_ = std::move(*next_);
            next_.reset();
            ++number_;
            begun = true;
        }
        SLUICE_TRY(auto const found, next());
        if (!found) continue;
        if (found->kind == Kind::hdr) {
            next_ = mib::read_hdr(found->payload);
            inbox_.pass(found->size);
        } else if (!begun) {
            problems().tell("images before the start of a series",
                            "their series had begun, or its start did not come");
            inbox_.pass(found->size);
        } else {
            layout_ = found->layout;
            exposure_s_ = found->header.exposure_s;
            pending_ = true;  // it stays in the inbox
        }
    }
    pending_ = false;
    newest_ = 0;
    return std::optional<Series>(series());
}

void Merlin::receive(FrameRing& ring, GoOn const& go_on) {
    // Where the header does not say how many frames come, the scan does.
    index const images = acquisition_.frames > 0 ? acquisition_.frames : ring.images();
    expected_ = first() + static_cast<std::uint64_t>(images) - 1;
    Listening how{.images = acquisition_.frames,
                  .patience_s = options_.patience_s,
                  .without = "the last image of the series"};
    how.next = [&] { return take(ring); };
    how.cut_short = [&] {
        return next_ ? std::string("another series began before the last image of this one")
                     : std::string();
    };
    how.all_sent = [&] { return newest_ >= expected_; };
    how.broken = [&] {
        return ended_.empty()
                   ? ended_
                   : fmt::format("{}, and took no other for {:g} s", ended_, options_.patience_s);
    };
    listen(ring, go_on, how);
}

Result<Came> Merlin::take(FrameRing& ring) {
    SLUICE_TRY(auto const found, next());
    if (!found) return !ended_.empty() && newest_ >= expected_ ? Came::end : Came::nothing;
    if (found->kind == Kind::hdr)
        next_ = mib::read_hdr(found->payload);
    else
        put(*found, ring);
    inbox_.pass(found->size);
    return Came::message;
}

void Merlin::put(Found const& found, FrameRing& ring) {
    std::uint64_t const number = found.header.sequence;
    mib::FrameLayout const& l = found.layout;
    if (!fits(problems(), number, {l.dtype, l.rows, l.cols},
              {layout_.dtype, layout_.rows, layout_.cols}))
        return;
    // A number that is far ahead may be a damaged one.
    if (number <= expected_) newest_ = std::max(newest_, number);
    EncodedFrame const frame{.encoding = l.encoding,
                             .bytes = found.payload.subspan(found.header.header_bytes),
                             .medipix = l.medipix};
    WaitingFrame const made = as_planes_.make(
        frame, {l.rows, l.cols, static_cast<int>(size_of(l.dtype))}, inbox_.share());
    put_image(ring, problems(), number, static_cast<index>(first()), made.frame, made.owner);
}

}  // namespace sluice::net::merlin
