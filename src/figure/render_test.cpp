// Drawings: data keeps its colours, lines stay in their box, and SVG and PDF hold what the picture
// shows, where it comes from, and the same bytes every time.
// SPDX-License-Identifier: Apache-2.0
#include "figure/render.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <cmath>

#include "figure/text.h"
#include "save/folder_test.h"

namespace sluice::figure {
namespace {

constexpr Rgb black{0, 0, 0}, red{255, 0, 0};

Picture noise(index rows, index cols) {
    Picture p = blank(rows, cols, {});
    for (std::size_t i = 0; i < p.rgb.size(); ++i)
        p.rgb[i] = static_cast<std::uint8_t>(i * 2654435761u >> 13);
    return p;
}

Drawing example() {
    Drawing d = sheet(90, 160, {22, 24, 29});
    d.shapes.emplace_back(Pixels{{10, 10, 64, 64}, noise(16, 16)});
    draw_line(d, {10, 80, 64, 70}, {{80, 70}, {100, 20}, {140, 60}}, 2, red);
    draw_text(d, 85, 10, "20 nm⁻¹ & <Å>", {8, {200, 200, 200}});
    return d;
}

TEST(Render, DataKeepsItsColours) {
    // All values of each channel, in whole, odd and smaller sizes.
    for (auto const& [rows, cols] : {std::pair<index, index>{48, 64}, {64, 96}, {53, 71}, {9, 7}}) {
        Picture const data = noise(16, 32);
        Drawing d = sheet(rows + 20, cols + 20, black);
        d.shapes.emplace_back(Pixels{{7, 11, rows, cols}, data});
        Picture const p = picture_of(d).value();
        for (index r = 0; r < rows; ++r)
            for (index c = 0; c < cols; ++c)
                ASSERT_EQ(pixel(p, 7 + r, 11 + c), pixel(data, (2 * r + 1) * 16 / (2 * rows),
                                                         (2 * c + 1) * 32 / (2 * cols)));
        EXPECT_EQ(pixel(p, 6, 11), black);
        EXPECT_EQ(pixel(p, 7 + rows, 11), black);
    }
}

TEST(Render, FillsBlendAndFramesStandOutside) {
    Drawing d = sheet(9, 9, {10, 20, 30});
    fill(d, {1, 1, 1, 1}, {110, 20, 230}, 0.5);
    frame(d, {4, 4, 2, 2}, {1, 2, 3});
    fill(d, {0, 0, 0, 5}, red);
    Picture const p = picture_of(d).value();
    EXPECT_NEAR(pixel(p, 1, 1).r, 60, 1);
    EXPECT_NEAR(pixel(p, 1, 1).b, 130, 1);
    EXPECT_EQ(pixel(p, 3, 3), (Rgb{1, 2, 3}));
    EXPECT_EQ(pixel(p, 6, 6), (Rgb{1, 2, 3}));
    EXPECT_EQ(pixel(p, 4, 4), (Rgb{10, 20, 30}));
    EXPECT_EQ(pixel(p, 0, 0), (Rgb{10, 20, 30}));
}

TEST(Render, LinesOfAnyLengthStayInTheirBox) {
    Box const box{10, 10, 20, 20};
    for (double const far : {30.0, 1e4, 1e9, 1e300}) {
        Drawing d = sheet(40, 40, black);
        draw_line(d, box, {{-far, 20}, {far, 20}}, 3, red);
        draw_line(d, box, {{20, -far}, {20, far}}, 3, red);
        draw_line(d, box, {{0, 0}, {NAN, 3}, {40, 40}}, 3, red);
        Picture const p = picture_of(d).value();
        for (index r = 0; r < 40; ++r)
            for (index c = 0; c < 40; ++c) {
                bool const inside = r >= 10 && r < 30 && c >= 10 && c < 30;
                bool const on = inside && (std::abs(r - 20) < 1 || std::abs(c - 20) < 1);
                if (inside && !on) continue;
                ASSERT_EQ(pixel(p, r, c), on ? red : black) << r << " " << c << " " << far;
            }
    }
}

TEST(Render, PastedDrawingsMoveAsAWhole) {
    Drawing d = sheet(120, 200, black);
    paste(d, 13, 21, example());
    Picture const whole = picture_of(d).value(), part = picture_of(example()).value();
    for (index r = 0; r < part.rows; ++r)
        for (index c = 0; c < part.cols; ++c)
            ASSERT_EQ(pixel(whole, 13 + r, 21 + c), pixel(part, r, c)) << r << " " << c;
}

TEST(Render, SvgHoldsTextsAndProvenance) {
    Provenance from;
    from.add("source", "a & b.h5");
    std::string const svg = svg_of(example(), from).value();
    EXPECT_NE(svg.find("width=\"160px\" height=\"90px\""), std::string::npos);
    EXPECT_NE(svg.find("<desc>20 nm⁻¹ &amp; &lt;Å&gt;</desc>"), std::string::npos);
    EXPECT_NE(svg.find("\"source\": \"a &amp; b.h5\""), std::string::npos);
    EXPECT_NE(svg.find("<image style=\"image-rendering:"), std::string::npos);
    EXPECT_NE(svg.find("<path "), std::string::npos);
}

// The streams of a PDF that are deflated, put out.
std::string unpacked(std::string const& pdf) {
    std::string out;
    std::string const begin = "stream\n";
    for (std::size_t at = 0; (at = pdf.find(begin, at)) != std::string::npos;) {
        at += begin.size();
        z_stream z{};
        inflateInit(&z);
        z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(pdf.data() + at));
        z.avail_in = static_cast<uInt>(pdf.size() - at);
        std::string part(1 << 20, '\0');
        z.next_out = reinterpret_cast<Bytef*>(part.data());
        z.avail_out = static_cast<uInt>(part.size());
        inflate(&z, Z_FINISH);
        out += part.substr(0, z.total_out);
        inflateEnd(&z);
    }
    return out;
}

TEST(Render, PdfHoldsTextsDataAndProvenance) {
    Provenance from;
    from.add("source", "a.h5");
    std::string const pdf = pdf_of(example(), from).value();
    EXPECT_TRUE(pdf.starts_with("%PDF-1."));
    EXPECT_NE(pdf.find("a.h5"), std::string::npos);
    EXPECT_NE(pdf.find("DejaVuSans"), std::string::npos);
    EXPECT_EQ(pdf.find("CreationDate"), std::string::npos);
    std::string const inside = unpacked(pdf);
    Picture const data = noise(16, 16);
    std::string const raw(data.rgb.begin(), data.rgb.end());
    EXPECT_NE(inside.find(raw), std::string::npos) << "the data, a number per pixel";
    EXPECT_NE(inside.find("beginbfchar"), std::string::npos) << "letters that can be searched";
    EXPECT_NE(inside.find("<00c5>"), std::string::npos) << "Å";
}

TEST(Render, TheSameBytesEveryTime) {
    auto const png = picture_of(example()).value().rgb;
    std::string const svg = svg_of(example()).value(), pdf = pdf_of(example()).value();
    svg_of(sheet(5, 5, red)).value();
    EXPECT_EQ(picture_of(example()).value().rgb, png);
    EXPECT_EQ(svg_of(example()).value(), svg);
    EXPECT_EQ(pdf_of(example()).value(), pdf);
}

TEST(Render, AnyTextCanBeSaved) {
    Drawing d = sheet(40, 200, black);
    draw_text(d, 20, 5, "\xff\xfe\x01 ]]> \U0001f600 & \uffff \xe2\x82", {});
    EXPECT_TRUE(svg_of(d));
    EXPECT_TRUE(pdf_of(d));
    EXPECT_NE(svg_of(d).value().find("\ufffd\ufffd\ufffd ]]&gt; \U0001f600 &amp; \ufffd \ufffd"),
              std::string::npos);
}

TEST(Render, IsSavedByItsEnding) {
    save::TestFolder const folder;
    for (char const* const ending : {"png", "svg", "pdf"})
        EXPECT_TRUE(save_drawing(folder.file(std::string("a.") + ending), example()));
    Status const other = save_drawing(folder.file("a.jpg"), example());
    ASSERT_FALSE(other);
    EXPECT_EQ(other.error().message,
              "has no ending that says how to draw it; end it in .png, .svg or .pdf");
}

TEST(Render, TooLargeIsAnError) {
    auto const p = picture_of(sheet(10, 100000, black));
    ASSERT_FALSE(p);
    EXPECT_EQ(p.error().code, Code::invalid_argument);
}

}  // namespace
}  // namespace sluice::figure
