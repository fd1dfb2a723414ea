// JPEG XR files (ITU-T T.832), decoded here and not by a library.
// SPDX-License-Identifier: Apache-2.0
#include "codec/jxr/jxr.h"

#include <fmt/format.h>

#include "codec/jxr/decode_with.h"
#include "codec/jxr/image.h"

namespace sluice::codec {
namespace {

// The container's pixel format and the image's own headers must agree.
Status check(jxr::Container const& container, jxr::Header const& header) {
    if (header.depth != static_cast<int>(container.depth))
        return Error{
            Code::corrupt,
            fmt::format("JPEG XR image with samples of kind {} in a file for kind {} fetch "
                        "or export the file again",
                        header.depth, static_cast<int>(container.depth))};
    if (container.info.alpha && container.alpha.empty() && !header.alpha)
        return Error{Code::corrupt,
                     "JPEG XR file without the alpha that its pixel format promises "
                     "fetch or export the file again"};
    return {};
}

Status check_alpha(jxr::Header const& image, jxr::Header const& alpha) {
    if (alpha.width == image.width && alpha.height == image.height && alpha.depth == image.depth &&
        alpha.top == image.top && alpha.left == image.left &&
        alpha.plane.color == jxr::Color::gray && alpha.overlap == image.overlap)
        return {};
    return Error{Code::corrupt,
                 "JPEG XR alpha that does not fit its image fetch or export the "
                 "file again"};
}

}  // namespace

Result<JxrInfo> jxr_inspect(Bytes file) {
    SLUICE_TRY(jxr::Container container, jxr::read_container(file));
    SLUICE_TRY(jxr::Header const header, jxr::read_header(container.image));
    SLUICE_CHECK(check(container, header));
    container.info.width = header.width;
    container.info.height = header.height;
    return container.info;
}

Status jxr_decode(Bytes file, JxrOptions const& options, std::span<std::byte> out) {
    return jxr::decode_with(jxr::kernels(chosen_isa()), file, options, out);
}

Status jxr::decode_with(Kernels const& kernels, Bytes file, JxrOptions const& options,
                        std::span<std::byte> out) {
    int const reduction = options.reduction;
    if (reduction != 1 && reduction != 4 && reduction != 16)
        return Error{
            Code::invalid_argument,
            fmt::format("JPEG XR reduction {} (1, 4 and 16 exist) choose one of them", reduction)};
    SLUICE_TRY(Container const container, read_container(file));
    // Before anything is allocated by it.
    SLUICE_TRY(Header const header, read_header(container.image));
    SLUICE_CHECK(check(container, header));
    index const width = (header.width + reduction - 1) / reduction;
    index const height = (header.height + reduction - 1) / reduction;
    index const pixel = container.info.samples * size_of(container.info.sample);
    if (static_cast<index>(out.size()) / pixel / width != height ||
        width * height * pixel != static_cast<index>(out.size()))
        return Error{Code::invalid_argument,
                     fmt::format("{} bytes for a JPEG XR image of {} x {} pixels of {} bytes (not "
                                 "its size) ask jxr_inspect",
                                 out.size(), width, height, pixel)};
    SLUICE_TRY(Decoder image, Decoder::open(container.image, reduction, kernels));
    std::optional<Decoder> alpha;
    if (!container.alpha.empty()) {
        SLUICE_TRY(Header const own, read_header(container.alpha));
        SLUICE_CHECK(check_alpha(header, own));
        SLUICE_TRY(alpha, Decoder::open(container.alpha, reduction, kernels));
    }
    Painter painter(container, options, image, alpha ? &*alpha : nullptr, kernels, out);
    for (index row = 0; row <= header.blocks_down; ++row) {
        SLUICE_CHECK(image.step(row));
        if (alpha) SLUICE_CHECK(alpha->step(row));
        if (row > 0) painter.paint(row - 1);
    }
    return {};
}

}  // namespace sluice::codec
