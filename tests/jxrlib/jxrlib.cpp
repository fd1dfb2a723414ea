// JPEG XR files by Debian's libjxr, from memory to memory.
// SPDX-License-Identifier: Apache-2.0
#include "jxrlib/jxrlib.h"

#include <cstring>
#include <memory>

#include "jxrlib/pixels.h"

namespace sluice::jxrlib {
namespace {

struct Release {
    void operator()(PKImageEncode* encoder) const { encoder->Release(&encoder); }
    void operator()(PKImageDecode* decoder) const { decoder->Release(&decoder); }
};
using Encoder = std::unique_ptr<PKImageEncode, Release>;
using Decoder = std::unique_ptr<PKImageDecode, Release>;

PKPixelInfo info_of(PKPixelFormatGUID const& guid) {
    PKPixelInfo info{};
    info.pGUIDPixFmt = &guid;
    PixelFormatLookup(&info, LOOKUP_FORWARD);
    return info;
}

COLORFORMAT colours(PKPixelInfo const& info, Chroma chroma) {
    if (info.cfColorFormat == Y_ONLY || info.cfColorFormat == CMYK) return info.cfColorFormat;
    if (chroma == Chroma::half_width) return YUV_422;
    if (chroma == Chroma::quarter) return YUV_420;
    if (chroma == Chroma::none) return Y_ONLY;
    return YUV_444;
}

void split(unsigned tiles, index pixels, U32* sizes, U32& number_less_one) {
    auto const blocks = static_cast<U32>((pixels + 15) / 16);
    if (tiles > blocks) tiles = blocks;
    number_less_one = tiles - 1;
    for (U32 i = 0; i < tiles; ++i) sizes[i] = blocks * (i + 1) / tiles - blocks * i / tiles;
}

CWMIStrCodecParam parameters_for(PKPixelInfo const& info, index width, index height,
                                 Settings const& settings) {
    CWMIStrCodecParam p{};
    p.cfColorFormat = colours(info, settings.chroma);
    p.bdBitDepth = BD_LONG;
    p.bfBitstreamFormat = settings.frequency ? FREQUENCY : SPATIAL;
    p.bProgressiveMode = settings.progressive;
    p.olOverlap = settings.overlap < 0 ? OL_ONE : static_cast<OVERLAP>(settings.overlap);
    p.sbSubband = static_cast<SUBBAND>(settings.subband);
    p.uiTrimFlexBits = static_cast<U8>(settings.trim_flexbits);
    p.bUnscaledArith = settings.unscaled;
    p.bUseHardTileBoundaries = settings.hard_tiles;
    p.nLenMantissaOrShift = static_cast<U8>(settings.float_mantissa_bits);
    if ((info.grBit & PK_pixfmtHasAlpha) != 0) p.uAlphaMode = settings.interleaved_alpha ? 3 : 2;
    p.uiDefaultQPIndexAlpha = static_cast<U8>(settings.alpha_quantiser);
    split(static_cast<unsigned>(settings.tiles_across), width, p.uiTileX, p.cNumOfSliceMinus1V);
    split(static_cast<unsigned>(settings.tiles_down), height, p.uiTileY, p.cNumOfSliceMinus1H);
    set_quality(p, info, width, settings);
    return p;
}

}  // namespace

index bytes_per_pixel(Pixels pixels) {
    return info_of(guid_of(pixels)).cbitUnit / 8;
}

std::optional<std::vector<std::byte>> encode(Bytes pixels, index width, index height, Pixels as,
                                             Settings const& settings) {
    PKPixelInfo const info = info_of(guid_of(as));
    CWMIStrCodecParam parameters = parameters_for(info, width, height, settings);
    // libjxr cannot grow a buffer; incompressible input is stored with a few bits more per sample.
    std::vector<std::byte> file(2 * pixels.size() + 4096 * static_cast<std::size_t>(height) +
                                65536);
    WMPStream* stream = nullptr;
    if (Failed(CreateWS_Memory(&stream, file.data(), file.size()))) return {};
    PKImageEncode* raw = nullptr;
    if (Failed(PKImageEncode_Create_WMP(&raw))) return {};
    Encoder const encoder(raw);
    if (Failed(raw->Initialize(raw, stream, &parameters, sizeof parameters))) return {};
    raw->WMP.wmiSCP_Alpha.uiDefaultQPIndex = parameters.uiDefaultQPIndexAlpha;
    raw->SetPixelFormat(raw, guid_of(as));
    raw->SetSize(raw, static_cast<I32>(width), static_cast<I32>(height));
    raw->SetResolution(raw, 96, 96);
    std::vector<std::byte> rows(pixels.begin(), pixels.end());
    auto const stride = rows.size() / static_cast<std::size_t>(height);
    if (Failed(raw->WritePixels(raw, static_cast<U32>(height), reinterpret_cast<U8*>(rows.data()),
                                static_cast<U32>(stride))))
        return {};
    Long const end = raw->WMP.nOffAlpha > 0 ? raw->WMP.nOffAlpha + raw->WMP.nCbAlpha
                                            : raw->WMP.nOffImage + raw->WMP.nCbImage;
    file.resize(static_cast<std::size_t>(end));
    return file;
}

std::optional<std::vector<std::byte>> decode(Bytes file, index reduction) {
    std::vector<std::byte> copy(file.begin(), file.end());
    WMPStream* stream = nullptr;
    if (Failed(CreateWS_Memory(&stream, copy.data(), copy.size()))) return {};
    PKImageDecode* raw = nullptr;
    if (Failed(PKImageDecode_Create_WMP(&raw))) return {};
    Decoder const decoder(raw);
    raw->fStreamOwner = 1;
    if (Failed(raw->Initialize(raw, stream))) return {};
    PKPixelInfo const info = info_of(raw->guidPixFormat);
    CWMImageInfo& image = raw->WMP.wmiI;
    raw->WMP.wmiSCP.uAlphaMode = (info.grBit & PK_pixfmtHasAlpha) != 0 ? 2 : 0;
    image.cfColorFormat = info.cfColorFormat;
    image.bdBitDepth = info.bdBitDepth;
    image.cBitsPerUnit = info.cbitUnit;
    auto const factor = static_cast<std::size_t>(reduction);
    image.cThumbnailWidth = image.cROIWidth = (image.cWidth + factor - 1) / factor;
    image.cThumbnailHeight = image.cROIHeight = (image.cHeight + factor - 1) / factor;
    std::size_t const stride = (image.cROIWidth * info.cbitUnit + 7) / 8;
    // A row more, because libjxr writes whole macroblock rows of some reductions.
    std::vector<std::byte> pixels(stride * (image.cROIHeight + 16));
    PKRect const all = {0, 0, static_cast<I32>(image.cROIWidth),
                        static_cast<I32>(image.cROIHeight)};
    std::size_t const size = stride * image.cROIHeight;
    if (Failed(
            raw->Copy(raw, &all, reinterpret_cast<U8*>(pixels.data()), static_cast<U32>(stride))))
        return {};
    pixels.resize(size);
    return pixels;
}

}  // namespace sluice::jxrlib
