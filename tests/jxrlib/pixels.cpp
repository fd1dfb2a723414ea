// The pixel formats of tests/jxrlib, and the quantisers that JxrEncApp chooses for a quality.
// SPDX-License-Identifier: Apache-2.0
#include "jxrlib/pixels.h"

namespace sluice::jxrlib {
namespace {

// Y, U, V of DC and low-pass, then of high-pass; for quality 0, 0.1, ...
using Quantisers = int[6];
// From jxrencoderdecoder/JxrEncApp.c of jxrlib, BSD-2-Clause, copyright Microsoft Corp.
constexpr Quantisers for_subsampled[11] = {
    {66, 65, 70, 72, 72, 77}, {59, 58, 63, 64, 63, 68}, {52, 51, 57, 56, 56, 61},
    {48, 48, 54, 51, 50, 55}, {43, 44, 48, 46, 46, 49}, {37, 37, 42, 38, 38, 43},
    {26, 28, 31, 27, 28, 31}, {16, 17, 22, 16, 17, 21}, {10, 11, 13, 10, 10, 13},
    {5, 5, 6, 5, 5, 6},       {2, 2, 3, 2, 2, 2}};
constexpr Quantisers for_8_bits[12] = {
    {67, 79, 86, 72, 90, 98}, {59, 74, 80, 64, 83, 89}, {53, 68, 75, 57, 76, 83},
    {49, 64, 71, 53, 70, 77}, {45, 60, 67, 48, 67, 74}, {40, 56, 62, 42, 59, 66},
    {33, 49, 55, 35, 51, 58}, {27, 44, 49, 28, 45, 50}, {20, 36, 42, 20, 38, 44},
    {13, 27, 34, 13, 28, 34}, {7, 17, 21, 8, 17, 21},   {2, 5, 6, 2, 5, 6}};
constexpr Quantisers for_16_bits[11] = {{197, 203, 210, 202, 207, 213},
                                        {174, 188, 193, 180, 189, 196},
                                        {152, 167, 173, 156, 169, 174},
                                        {135, 152, 157, 137, 153, 158},
                                        {119, 137, 141, 119, 138, 142},
                                        {102, 120, 125, 100, 120, 124},
                                        {82, 98, 104, 79, 98, 103},
                                        {60, 76, 81, 58, 76, 81},
                                        {39, 52, 58, 36, 52, 58},
                                        {16, 27, 33, 14, 27, 33},
                                        {5, 8, 9, 4, 7, 8}};
constexpr Quantisers for_half[11] = {{148, 177, 171, 165, 187, 191},
                                     {133, 155, 153, 147, 172, 181},
                                     {114, 133, 138, 130, 157, 167},
                                     {97, 118, 120, 109, 137, 144},
                                     {76, 98, 103, 85, 115, 121},
                                     {63, 86, 91, 62, 96, 99},
                                     {46, 68, 71, 43, 73, 75},
                                     {29, 48, 52, 27, 48, 51},
                                     {16, 30, 35, 14, 29, 34},
                                     {8, 14, 17, 7, 13, 17},
                                     {3, 5, 7, 3, 5, 6}};
constexpr Quantisers for_float[11] = {
    {194, 206, 209, 204, 211, 217}, {175, 187, 196, 186, 193, 205}, {157, 170, 177, 167, 180, 190},
    {133, 152, 156, 144, 163, 168}, {116, 138, 142, 117, 143, 148}, {98, 120, 123, 96, 123, 126},
    {80, 99, 102, 78, 99, 102},     {65, 79, 84, 63, 79, 84},       {48, 61, 67, 45, 60, 66},
    {27, 41, 46, 24, 40, 45},       {3, 22, 24, 2, 21, 22}};

Quantisers const* table_for(CWMIStrCodecParam const& parameters, PKPixelInfo const& info) {
    if (parameters.cfColorFormat == YUV_420 || parameters.cfColorFormat == YUV_422)
        return for_subsampled;
    if (info.bdBitDepth == BD_8) return for_8_bits;
    if (info.bdBitDepth == BD_16) return for_16_bits;
    if (info.bdBitDepth == BD_16F) return for_half;
    return for_float;
}

}  // namespace

PKPixelFormatGUID const& guid_of(Pixels pixels) {
    switch (pixels) {
        case Pixels::gray8:
            return GUID_PKPixelFormat8bppGray;
        case Pixels::gray16:
            return GUID_PKPixelFormat16bppGray;
        case Pixels::gray_half:
            return GUID_PKPixelFormat16bppGrayHalf;
        case Pixels::gray_float:
            return GUID_PKPixelFormat32bppGrayFloat;
        case Pixels::bgr24:
            return GUID_PKPixelFormat24bppBGR;
        case Pixels::rgb24:
            return GUID_PKPixelFormat24bppRGB;
        case Pixels::bgr32:
            return GUID_PKPixelFormat32bppBGR;
        case Pixels::rgb48:
            return GUID_PKPixelFormat48bppRGB;
        case Pixels::rgb_half48:
            return GUID_PKPixelFormat48bppRGBHalf;
        case Pixels::rgb_float96:
            return GUID_PKPixelFormat96bppRGBFloat;
        case Pixels::rgb_float128:
            return GUID_PKPixelFormat128bppRGBFloat;
        case Pixels::bgra32:
            return GUID_PKPixelFormat32bppBGRA;
        case Pixels::rgba32:
            return GUID_PKPixelFormat32bppRGBA;
        case Pixels::rgba64:
            return GUID_PKPixelFormat64bppRGBA;
        case Pixels::rgba_float128:
            return GUID_PKPixelFormat128bppRGBAFloat;
        case Pixels::cmyk32:
            return GUID_PKPixelFormat32bppCMYK;
    }
    return GUID_PKPixelFormatDontCare;
}

void set_quality(CWMIStrCodecParam& parameters, PKPixelInfo const& info, index width,
                 Settings const& settings) {
    auto quality = static_cast<float>(settings.quality);
    if (quality >= 1) {
        parameters.uiDefaultQPIndex = static_cast<U8>(quality);
        return;
    }
    if (settings.overlap < 0)
        parameters.olOverlap = quality >= 0.5F || width < 32 ? OL_ONE : OL_TWO;
    if (settings.chroma == Chroma::as_quality_says && parameters.cfColorFormat == YUV_444 &&
        quality < 0.5F && info.uBitsPerSample <= 8)
        parameters.cfColorFormat = YUV_420;
    Quantisers const* const table = table_for(parameters, info);
    if (table == for_8_bits && quality > 0.8F) quality = 0.8F + (quality - 0.8F) * 1.5F;
    int const row = static_cast<int>(10 * quality);
    float const part = 10 * quality - static_cast<float>(row);
    auto const between = [&](int i) {
        return static_cast<U8>(0.5F + static_cast<float>(table[row][i]) * (1 - part) +
                               static_cast<float>(table[row + 1][i]) * part);
    };
    parameters.uiDefaultQPIndex = between(0);
    parameters.uiDefaultQPIndexU = between(1);
    parameters.uiDefaultQPIndexV = between(2);
    parameters.uiDefaultQPIndexYHP = between(3);
    parameters.uiDefaultQPIndexUHP = between(4);
    parameters.uiDefaultQPIndexVHP = between(5);
}

}  // namespace sluice::jxrlib
