// A Timepix3 readout, as a simulated detector speaks for it.
// SPDX-License-Identifier: Apache-2.0
#include "net/timepix3/wire.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <map>

#include "base/splitmix.h"
#include "format/tpx3/chip_layout.h"
#include "net/outbox.h"
#include "net/packed_images.h"

namespace sluice::net::timepix3 {
namespace {

using tpx3::ChipLayout;
using tpx3::chunk_of;
using tpx3::clock_bits;
using tpx3::Edge;
using tpx3::edge_packet;
using tpx3::hit_packet;
using tpx3::steps_per_s;

constexpr std::size_t most_in_chunk = 8000;
constexpr std::uint64_t most_hits = 1 << 24;  // of an image
// The clock of hits turns over this long after the first line began: 0.8 ms.
constexpr std::int64_t before_turn = 500'000;

class Timepix3Wire final : public Wire {
  public:
    Timepix3Wire(TcpPort port, Dataset const& dataset, SimulatorOptions const& options,
                 ChipLayout const& layout)
        : outbox_(std::move(port), options.buffer),
          dataset_(dataset),
          seed_(options.seed),
          per_line_(dataset.scan[1] + options.flyback),
          dwell_(steps_per_s / options.rate),
          packed_(dataset, {Encoding::values}),
          layout_(layout),
          origins_(layout.origins()) {
        while (!layout_.has(chip_)) ++chip_;
    }

    // Nothing says that a scan begins but its first line.
    Packet start(index /*number*/, index images) override {
        images_ = images;
        return message({{chip_, {std::uint64_t{0x71} << 56}}});
    }

    Result<Packet> image(index image, index frame) override {
        SLUICE_TRY(Bytes const bytes, packed_.pack(frame));
        Packets packets;
        if (image % per_line_ == 0)
            packets[chip_].push_back(
                edge_packet(begins(image), Edge::tdc1_rise, static_cast<int>(image / per_line_)));
        SLUICE_CHECK(add_hits(bytes, image, frame, packets));
        return packets.empty() ? Packet{} : message(packets);
    }

    // The other edge of a line that no hit is behind tells that the last image is over.
    Packet end() override {
        return message({{chip_,
                         {edge_packet(begins(images_), Edge::tdc1_fall,
                                      static_cast<int>(images_ / per_line_))}}});
    }

    Result<bool> send(Packet const& message, std::chrono::milliseconds wait) override {
        return outbox_.put(message, wait);
    }
    index finish(std::chrono::milliseconds wait) override { return outbox_.finish(wait); }
    std::string const& address() const override { return outbox_.address(); }
    index as_stored() const override { return 0; }

  private:
    using Packets = std::map<int, std::vector<std::uint64_t>>;  // of each chip

    std::int64_t begins(index image) const {
        return (std::int64_t{1} << clock_bits) - before_turn +
               static_cast<std::int64_t>(std::ceil(static_cast<double>(image) * dwell_));
    }

    static Packet message(Packets const& of_chips) {
        std::vector<std::byte> out;
        for (auto const& [chip, packets] : of_chips)
            for (std::size_t first = 0; first < packets.size(); first += most_in_chunk) {
                std::size_t const count = std::min(most_in_chunk, packets.size() - first);
                std::string const chunk = chunk_of(std::span(packets).subspan(first, count), chip);
                auto const bytes = std::as_bytes(std::span(chunk));
                out.insert(out.end(), bytes.begin(), bytes.end());
            }
        return packet(std::move(out));
    }

    std::uint64_t value(Bytes bytes, std::size_t pixel) const {
        auto const each = static_cast<std::size_t>(size_of(dataset_.dtype));
        std::uint64_t v = 0;
        for (std::size_t k = each; k-- > 0;)
            v = v << 8 | std::to_integer<std::uint64_t>(bytes[pixel * each + k]);
        return v;
    }

    // Of a pixel of the image.
    ChipLayout::Origin origin_of(std::size_t pixel) const {
        auto const row = static_cast<index>(pixel) / dataset_.cols,
                   col = static_cast<index>(pixel) % dataset_.cols;
        return origins_[size(row * layout_.cols() + col)];
    }

    Status add_hits(Bytes bytes, index image, index frame, Packets& of_chips) {
        std::size_t const pixels = bytes.empty() ? 0 : size(dataset_.rows * dataset_.cols);
        std::vector<std::uint32_t> hits;
        for (std::size_t pixel = 0; pixel < pixels; ++pixel) {
            std::uint64_t const count = value(bytes, pixel);
            if (count > most_hits - hits.size())
                return Error{Code::unsupported,
                             fmt::format("frame {} has over {} electrons (each is a hit of 8 "
                                         "bytes) name a scan of lower dose",
                                         frame, most_hits),
                             dataset_.path};
            // A gap may hold what marks it.
            if (count > 0 && origin_of(pixel).chip < 0)
                return Error{Code::unsupported,
                             fmt::format("frame {} has counts in pixel {}, {}, where no chip is by "
                                         "--chip-layout",
                                         frame, static_cast<index>(pixel) / dataset_.cols,
                                         static_cast<index>(pixel) % dataset_.cols),
                             dataset_.path};
            hits.insert(hits.end(), count, static_cast<std::uint32_t>(pixel));
        }
        // Pixels are read out in no order.
        std::uint64_t state = splitmix::mix(seed_ + static_cast<std::uint64_t>(image));
        for (std::size_t left = hits.size(); left > 1; --left)
            std::swap(hits[left - 1], hits[splitmix::mix(state += splitmix::golden) % left]);
        // Within the image, whatever its borders are rounded to.
        double const room = std::max(dwell_ - 2, 0.0);
        for (std::size_t i = 0; i < hits.size(); ++i) {
            double const part = (static_cast<double>(i) + 0.5) / static_cast<double>(hits.size());
            auto const at = origin_of(hits[i]);
            of_chips[at.chip].push_back(
                hit_packet(begins(image) + static_cast<std::int64_t>(part * room), at.row, at.col));
        }
        return {};
    }
    static std::size_t size(index n) { return static_cast<std::size_t>(n); }

    Outbox outbox_;
    Dataset const& dataset_;
    std::uint64_t seed_;
    index per_line_, images_ = 0;
    double dwell_;  ///< of an image, in steps of the clock
    PackedImages packed_;
    ChipLayout layout_;
    std::vector<ChipLayout::Origin> origins_;
    int chip_ = 0;  // that tells signals
};

Status check(Dataset const& d, SimulatorOptions const& options, ChipLayout const& layout) {
    if (d.rows > layout.rows() || d.cols > layout.cols())
        return Error{
            Code::unsupported,
            fmt::format("frames of {}x{} pixels ({} {}x{}) name another scan{}", d.rows, d.cols,
                        layout.is_said() ? "the chips have" : "a chip of Timepix3 has",
                        layout.rows(), layout.cols(),
                        layout.is_said() ? "" : ", or give several chips a --chip-layout"),
            d.path};
    if (d.dtype != DType::u8 && d.dtype != DType::u16 && d.dtype != DType::u32)
        return Error{Code::unsupported,
                     fmt::format("values are {} (hits are counted) name a scan of uint8, uint16 or "
                                 "uint32",
                                 name_of(d.dtype)),
                     d.path};
    if (options.duplicate > 0 || options.reorder > 0)
        return Error{Code::invalid_argument,
                     "Timepix3 sends hits and no images, which could come twice or late; leave "
                     "--duplicate and --reorder away"};
    if (options.rate > steps_per_s / 16)
        return Error{Code::invalid_argument,
                     fmt::format("{:g} images a second are shorter than a step of the readout's "
                                 "clock, 25 ns; give a lower --rate",
                                 options.rate)};
    return {};
}

}  // namespace

config::Fields<WireOptions> wire_fields() {
    static constexpr config::Field<WireOptions> all[] = {
        config::field<&WireOptions::chip_layout>(
            "chip_layout",
            "where each chip lies, CHIP:ROW:COL of its upper left corner, and :180 where it is "
            "turned, separated by commas [one chip]"),
    };
    return all;
}

Result<std::unique_ptr<Wire>> wire(std::string const& address, Dataset const& dataset,
                                   SimulatorOptions const& options, WireOptions const& how) {
    SLUICE_TRY(ChipLayout const layout, ChipLayout::parse(how.chip_layout));
    SLUICE_CHECK(check(dataset, options, layout));
    SLUICE_TRY(TcpPort port, TcpPort::open(address));
    return std::unique_ptr<Wire>(
        std::make_unique<Timepix3Wire>(std::move(port), dataset, options, layout));
}

}  // namespace sluice::net::timepix3
