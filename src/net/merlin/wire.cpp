// Merlin's data port, as a simulated detector speaks on it.
// SPDX-License-Identifier: Apache-2.0
#include "net/merlin/wire.h"

#include <fmt/format.h>

#include "net/merlin/messages.h"
#include "net/outbox.h"
#include "net/packed_images.h"

namespace sluice::net::merlin {
namespace {

ImageForm form_of(Dataset const& d, WireOptions const& how) {
    if (how.raw) {
        int const usual = d.dtype == DType::u8 ? 6 : d.dtype == DType::u16 ? 12 : 24;
        return {Encoding::medipix,
                {.depth = how.depth != 0 ? how.depth : usual, .quad = how.chips == Chips::quad}};
    }
    return {d.dtype == DType::u8 ? Encoding::values : Encoding::big_endian};
}

std::vector<std::byte> message_of(std::string const& text, Bytes pixels = {}) {
    std::string const head = prefix_of(text.size() + pixels.size()) + text;
    auto const bytes = std::as_bytes(std::span(head));
    std::vector<std::byte> out(bytes.begin(), bytes.end());
    out.insert(out.end(), pixels.begin(), pixels.end());
    return out;
}

class MerlinWire final : public Wire {
  public:
    MerlinWire(TcpPort port, Dataset const& dataset, SimulatorOptions const& options,
               WireOptions const& how)
        : outbox_(std::move(port), options.buffer),
          dataset_(dataset),
          options_(options),
          form_(form_of(dataset, how)),
          packed_(dataset, form_) {}

    Packet start(index /*number*/, index images) override {
        return packet(message_of(
            fmt::format("HDR,\t\n"
                        "Time and Date Stamp (day, mnth, yr, hr, min, s):\t1/1/2026 00:00:00\n"
                        "Chip ID:\tSimulated by Sluice\n"
                        "Assembly Size (NX1, 2X2):\t{}\n"
                        "Counter Depth (number):\t{}\n"
                        "Frames in Acquisition (Number):\t{}\n"
                        "Frames per Trigger (Number):\t{}\n"
                        "ScanX:\t{}\n"
                        "ScanY:\t{}\n"
                        "End\t",
                        layout(), depth(), images, dataset_.scan[1] + options_.flyback,
                        dataset_.scan[1], dataset_.scan[0])));
    }

    Result<Packet> image(index image, index frame) override {
        SLUICE_TRY(Bytes const bytes, packed_.pack(frame));
        if (bytes.empty()) return Packet{};
        return packet(message_of(header(image + 1), bytes));
    }
    Packet end() override { return {}; }

    Result<bool> send(Packet const& message, std::chrono::milliseconds wait) override {
        return outbox_.put(message, wait);
    }
    index finish(std::chrono::milliseconds wait) override { return outbox_.finish(wait); }
    std::string const& address() const override { return outbox_.address(); }
    index as_stored() const override { return packed_.as_stored(); }

  private:
    bool raw() const { return form_.encoding == Encoding::medipix; }
    bool quad() const { return form_.medipix.quad && raw(); }
    std::string layout() const { return quad() ? "2x2" : "1x1"; }
    int depth() const {
        return raw() ? form_.medipix.depth : dataset_.dtype == DType::u32 ? 24 : 12;
    }

    std::string header(index sequence) const {
        index width = dataset_.cols, height = dataset_.rows;
        if (quad()) width *= 2, height /= 2;
        if (raw() && depth() == 24) width *= 2;
        std::size_t const size = quad() ? 768 : 384;
        std::string const type = raw() ? "R64" : fmt::format("U{:02}", 8 * size_of(dataset_.dtype));
        double const exposure = 1 / options_.rate;
        std::string text = fmt::format(
            "MQ1,{:06},{:05},{:02},{:04},{:04},{},{:>6},{},2026-01-01 00:00:00.000000,{:.6f},0,0,0,"
            "0.000000E+0,0.000000E+0,0.000000E+0,0.000000E+0,0.000000E+0,0.000000E+0,0.000000E+0,"
            "0.000000E+0,3RX,",
            sequence, size, quad() ? 4 : 1, width, height, type, layout(), quad() ? "0f" : "01",
            exposure);
        text += fmt::format("MQ1A,2026-01-01T00:00:00.000000000Z,{:.0f}ns,{},", exposure * 1e9,
                            depth());
        text.resize(size, '\0');
        return text;
    }

    Outbox outbox_;
    Dataset const& dataset_;
    SimulatorOptions const& options_;
    ImageForm form_;
    PackedImages packed_;
};

Status check(Dataset const& d, ImageForm const& form) {
    if (d.dtype != DType::u8 && d.dtype != DType::u16 && d.dtype != DType::u32)
        return Error{Code::unsupported,
                     fmt::format("Merlin sends uint8, uint16 and uint32 (this scan has {}) name "
                                 "another scan",
                                 name_of(d.dtype)),
                     d.path};
    if (form.encoding != Encoding::medipix) return {};
    int const bytes = codec::medipix_element_bytes(form.medipix.depth);
    if (bytes != static_cast<int>(size_of(d.dtype)))
        return Error{Code::invalid_argument,
                     fmt::format("counters of {} bits are not read as {} (1 and 6 are uint8, 12 "
                                 "uint16, 24 uint32) give another --depth",
                                 form.medipix.depth, name_of(d.dtype)),
                     d.path};
    if (!codec::medipix_bytes(form.medipix, d.rows, d.cols))
        return Error{Code::unsupported,
                     fmt::format("frames of {}x{} pixels are no raw frames of {} bits (a row of a "
                                 "chip is groups of 64 bits) leave --raw away",
                                 d.rows, d.cols, form.medipix.depth),
                     d.path};
    return {};
}

}  // namespace

config::Fields<WireOptions> wire_fields() {
    using O = WireOptions;
    static constexpr config::Field<WireOptions> all[] = {
        config::field<&O::raw>("raw", "send counters as the chips do (R64), and not integers"),
        config::field<&O::depth>("depth",
                                 "bits of a raw counter: 1, 6, 12 or 24; larger counts are its "
                                 "largest; 0: the most that the dataset's type holds",
                                 config::between(0, 24)),
        config::field<&O::chips>("chips", "of raw frames"),
    };
    return all;
}

Result<std::unique_ptr<Wire>> wire(std::string const& address, Dataset const& dataset,
                                   SimulatorOptions const& options, WireOptions const& how) {
    SLUICE_CHECK(check(dataset, form_of(dataset, how)));
    SLUICE_TRY(TcpPort port, TcpPort::open(address));
    return std::unique_ptr<Wire>(
        std::make_unique<MerlinWire>(std::move(port), dataset, options, how));
}

}  // namespace sluice::net::merlin
