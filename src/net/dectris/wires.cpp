// DECTRIS' streams, as a simulated detector speaks them.
// SPDX-License-Identifier: Apache-2.0
#include "net/dectris/wires.h"

#include <fmt/format.h>

#include "net/packed_images.h"
#include "net/socket.h"

namespace sluice::net::dectris {
namespace {

Start start_of(Dataset const& d, SimulatorOptions const& o) {
    Start s;
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

ImageForm form_of(Packing packing, Encoding of_lz4) {
    if (packing == Packing::none) return {Encoding::values};
    return {packing == Packing::lz4 ? of_lz4 : Encoding::bitshuffle_lz4};
}

/// What both streams have in common: a socket that pushes.
class PushWire : public Wire {
  public:
    PushWire(Socket socket, Dataset const& dataset, SimulatorOptions const& options, ImageForm form)
        : socket_(std::move(socket)),
          seed_(options.seed),
          packed_(dataset, form),
          start_(start_of(dataset, options)) {}

    Packet start(index number, index images) override {
        start_.images = images;
        start_.series_id = static_cast<std::uint64_t>(number + 1);
        start_.series_unique_id = fmt::format("sluice-{}-{}", seed_, number + 1);
        return start_message();
    }
    Result<Packet> image(index image, index frame) override {
        SLUICE_TRY(Bytes const bytes, packed_.pack(frame));
        if (bytes.empty()) return Packet{};
        return image_message(static_cast<std::uint64_t>(image), bytes);
    }
    Result<bool> send(Packet const& message, std::chrono::milliseconds wait) override {
        return socket_.send(message.parts, wait);
    }
    // The socket lingers when it ends.
    index finish(std::chrono::milliseconds /*wait*/) override { return 0; }
    std::string const& address() const override { return socket_.address(); }
    index as_stored() const override { return packed_.as_stored(); }

  protected:
    virtual Packet start_message() = 0;
    virtual Packet image_message(std::uint64_t image, Bytes bytes) = 0;
    Start const& what() const { return start_; }
    void say_no_scan() { start_.scan.reset(); }

  private:
    Socket socket_;
    std::uint64_t seed_;
    PackedImages packed_;
    Start start_;
};

class Wire2 final : public PushWire {
  public:
    Wire2(Socket socket, Dataset const& dataset, SimulatorOptions const& options,
          WireOptions const& how)
        : PushWire(std::move(socket), dataset, options, form_of(how.compression, Encoding::lz4)) {
        array_ = {.dtype = dataset.dtype, .dimensions = 2, .shape = {dataset.rows, dataset.cols}};
        if (how.compression == Packing::lz4) array_.compression = "lz4";
        if (how.compression != Packing::bslz4) return;
        array_.compression = "bslz4";
        array_.modifier = static_cast<std::uint64_t>(size_of(dataset.dtype));
    }
    Packet end() override { return packet(write_end(what())); }

  private:
    Packet start_message() override { return packet(write_start(what())); }
    Packet image_message(std::uint64_t image, Bytes bytes) override {
        return packet(write_image({.image_id = image, .data = array_}, what(), bytes));
    }

    cbor::TypedArray array_ = {};
};

class Wire1 final : public PushWire {
  public:
    Wire1(Socket socket, Dataset const& dataset, SimulatorOptions const& options,
          WireOptions const& how)
        : PushWire(std::move(socket), dataset, options,
                   form_of(how.compression, Encoding::lz4_block)),
          detail_(how.header_detail) {
        if (!how.header_appendix) say_no_scan();
        if (how.compression == Packing::lz4) encoding_ = "lz4<";
        if (how.compression == Packing::bslz4)
            encoding_ = fmt::format("bs{}-lz4<", 8 * size_of(dataset.dtype));
    }
    Packet end() override { return {write_end_parts(what())}; }

  private:
    Packet start_message() override { return {write_header_parts(what(), detail_)}; }
    Packet image_message(std::uint64_t image, Bytes bytes) override {
        return {write_image_parts(what(), image, encoding_, bytes)};
    }

    HeaderDetail detail_;
    std::string encoding_ = "<";
};

template <class Of>
Result<std::unique_ptr<Wire>> make(std::string const& address, Dataset const& dataset,
                                   SimulatorOptions const& options, WireOptions const& how) {
    if (dataset.dtype != DType::u8 && dataset.dtype != DType::u16 && dataset.dtype != DType::u32)
        return Error{Code::unsupported,
                     fmt::format("detectors of this protocol send uint8, uint16 and uint32 (this "
                                 "scan has {}) name another scan",
                                 name_of(dataset.dtype)),
                     dataset.path};
    // What the receiver has not taken yet is not forgotten at the end.
    auto const linger = std::chrono::milliseconds(static_cast<std::int64_t>(options.wait_s * 1e3));
    SLUICE_TRY(Socket socket, Socket::push(address, {.queue = static_cast<int>(options.buffer),
                                                     .linger = linger}));
    return std::unique_ptr<Wire>(std::make_unique<Of>(std::move(socket), dataset, options, how));
}

}  // namespace

config::Fields<WireOptions> wire_fields() {
    using O = WireOptions;
    static constexpr config::Field<WireOptions> all[] = {
        config::field<&O::compression>("compression", "of the images"),
        config::field<&O::header_detail>("header_detail",
                                         "what the header has beside the series' number"),
        config::field<&O::header_appendix>(
            "header_appendix",
            "say the scan at the end of the header, as users may let detectors do"),
    };
    return all;
}

Result<std::unique_ptr<Wire>> stream1_wire(std::string const& address, Dataset const& dataset,
                                           SimulatorOptions const& options,
                                           WireOptions const& how) {
    return make<Wire1>(address, dataset, options, how);
}

Result<std::unique_ptr<Wire>> stream2_wire(std::string const& address, Dataset const& dataset,
                                           SimulatorOptions const& options,
                                           WireOptions const& how) {
    return make<Wire2>(address, dataset, options, how);
}

}  // namespace sluice::net::dectris
