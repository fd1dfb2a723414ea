// The strokes of every character.
// SPDX-License-Identifier: Apache-2.0
#include "figure/font.h"

#include <algorithm>

namespace sluice::figure {
namespace {

/// Two hexadecimal digits are a point (x, y); points are joined by straight lines, a space lifts
/// the pen, and q makes the next two points the control point and end of a parabola.
struct Drawing {
    char32_t character;
    std::string_view path;
};

constexpr Drawing drawings[] = {
    {'!', "0005 08"},
    {'"', "0002 2022"},
    {'#', "2018 5048 0353 0555"},
    {'$', "42q4020q0002q0424q4446q4828q0806 2028"},
    {'%', "6008 10q0001q0212q2221q2010 56q4647q4858q6867q6656"},
    {'&', "5813q1020q4042q430506q0828q4855"},
    {'\'', "0002"},
    {'(', "20q0205q082a"},
    {')', "00q2225q280a"},
    {'*', "2024 0143 4103"},
    {'+', "0545 2327"},
    {',', "180a"},
    {'-', "0535"},
    {'.', "08"},
    {'/', "0940"},
    {'0', "20q000305q0828q484543q4020"},
    {'1', "023038"},
    {'2', "02q0020q4042q440848"},
    {'3', "02q0020q4042q442414 24q4446q4828q0806"},
    {'4', "38300646"},
    {'5', "40000323q4345q4828q0806"},
    {'6', "30q000506q0828q484645q4323q0305"},
    {'7', "004018"},
    {'8', "20q0002q0424q4442q4020 24q0406q0828q4846q4424"},
    {'9', "18q484342q4020q000203q0525q4543"},
    {':', "04 08"},
    {';', "14 180a"},
    {'<', "420548"},
    {'=', "0444 0646"},
    {'>', "024508"},
    {'?', "02q0020q4042q442526 28"},
    {'@', "4838q080503q0030q606365q6756q4645 4333q232425q2636q4644 4346"},
    {'A', "083068 1555"},
    {'B', "080030q5052q543404 34q5456q583808"},
    {'C', "52q503020q000305q082838q5856"},
    {'D', "080020q505355q582808"},
    {'E', "40000848 0434"},
    {'F', "400008 0434"},
    {'G', "52q503020q000305q082838q58555434"},
    {'H', "0008 5058 0454"},
    {'I', "0008"},
    {'J', "4045q4828q0806"},
    {'K', "0008 5005 2358"},
    {'L', "000848"},
    {'M', "0800356068"},
    {'N', "08005850"},
    {'O', "30q000305q0838q686563q6030"},
    {'P', "080030q5052q543404"},
    {'Q', "30q000305q0838q686563q6030 4669"},
    {'R', "080030q5052q543404 2458"},
    {'S', "52q503020q0002q042434q5456q583828q0806"},
    {'T', "0060 3038"},
    {'U', "0005q082838q585550"},
    {'V', "003860"},
    {'W', "0028426880"},
    {'X', "0058 5008"},
    {'Y', "003460 3438"},
    {'Z', "00500858"},
    {'[', "20000a2a"},
    {'\\', "0049"},
    {']', "00202a0a"},
    {'^', "022042"},
    {'_', "0959"},
    {'`', "0011"},
    {'a', "04q0323q434548 4525q050607q0818q4846"},
    {'b', "0008 05q0323q434546q4828q0806"},
    {'c', "44q4323q030506q0828q4847"},
    {'d', "4048 45q4323q030506q0828q4846"},
    {'e', "0545q4323q030506q0828q4847"},
    {'f', "30q101218 0333"},
    {'g', "4349q4b2bq0b0a 45q4323q030506q0828q4846"},
    {'h', "0008 05q0323q434548"},
    {'i', "0308 01"},
    {'j', "2329q2b0b 21"},
    {'k', "0008 4306 1548"},
    {'l', "0006q0818"},
    {'m', "0308 05q0313q333538 35q3343q636568"},
    {'n', "0308 05q0323q434548"},
    {'o', "23q030506q0828q484645q4323"},
    {'p', "030b 05q0323q434546q4828q0806"},
    {'q', "434b 45q4323q030506q0828q4846"},
    {'r', "0308 05q0333"},
    {'s', "44q4323q0304q051536q4647q4828q0807"},
    {'t', "1116q1838 0333"},
    {'u', "0306q0828q4846 4348"},
    {'v', "032843"},
    {'w', "0318345863"},
    {'x', "0348 4308"},
    {'y', "0328 431b"},
    {'z', "03430848"},
    {'{', "30q101214q1505q151618q1a3a"},
    {'|', "000a"},
    {'}', "00q202224q2535q252628q2a0a"},
    {'~', "06q041436q4644"},
    {U'°', "10q0001q0212q2221q2010"},
    {U'±', "0444 2226 0848"},
    {U'µ', "030b 0306q0828q4846 4348"},
    {U'·', "05"},
    {U'Å', "083268 1656 30q2021q2232q4241q4030"},
    {U'×', "0347 0743"},
    {U'Δ', "30086830"},
    {U'θ', "20q000305q0828q484543q4020 0444"},
    {U'π', "0343 1318 3338"},
    {U'–', "0555"},
    {U'…', "08 28 48"},
    {U'−', "0545"},
    {U'≤', "400346 0848"},
    {U'≥', "004306 0848"},
};

constexpr std::string_view box = "0060680800";

struct Point {
    double x, y;
};

double digit(char c) {
    return c <= '9' ? c - '0' : c - 'a' + 10;
}

/// Reads a path; `last` is where the pen stands.
Glyph drawn(std::string_view path) {
    Glyph glyph;
    bool down = false;
    Point last{};
    auto const take_point = [&] {
        Point const p{digit(path[0]), digit(path[1])};
        path.remove_prefix(2);
        glyph.width = std::max(glyph.width, p.x);
        return p;
    };
    auto const line_to = [&](Point p) {
        glyph.strokes.push_back({last.x, last.y, p.x, p.y});
        last = p;
    };
    while (!path.empty()) {
        if (path[0] == ' ') {
            path.remove_prefix(1);
            down = false;
        } else if (path[0] == 'q') {
            path.remove_prefix(1);
            Point const from = last, control = take_point(), to = take_point();
            constexpr int pieces = 8;
            for (int i = 1; i <= pieces; ++i) {
                double const t = double{1} * i / pieces, s = 1 - t;
                line_to({s * s * from.x + 2 * s * t * control.x + t * t * to.x,
                         s * s * from.y + 2 * s * t * control.y + t * t * to.y});
            }
        } else {
            Point const p = take_point();
            if (!down) last = p;
            line_to(p);
            down = true;
        }
    }
    return glyph;
}

char32_t base_of(char32_t superscript) {
    switch (superscript) {
        case U'¹':
            return '1';
        case U'²':
            return '2';
        case U'³':
            return '3';
        case U'⁻':
            return U'−';
        default:
            break;
    }
    bool const digit_above = superscript == U'⁰' || (superscript >= U'⁴' && superscript <= U'⁹');
    return digit_above ? '0' + (superscript - U'⁰') : 0;
}

}  // namespace

Glyph glyph_of(char32_t character) {
    if (character == ' ') return {{}, 1.5, false};
    if (character == U'μ') character = U'µ';  // the Greek letter and the sign
    if (char32_t const base = base_of(character)) {
        Glyph glyph = glyph_of(base);
        glyph.raised = true;
        return glyph;
    }
    for (Drawing const& d : drawings)
        if (d.character == character) return drawn(d.path);
    return drawn(box);
}

}  // namespace sluice::figure
