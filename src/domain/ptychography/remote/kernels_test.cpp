// The functors of ptychography have the same bits on every device as loops have on the host.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <complex>
#include <cstring>
#include <list>
#include <numbers>
#include <random>

#include "device/place.h"
#include "domain/ptychography/remote/move_kernels.h"
#include "domain/ptychography/remote/order.h"
#include "domain/ptychography/remote/projection_kernels.h"
#include "domain/ptychography/remote/residual_kernels.h"
#include "domain/ptychography/remote/sum_kernels.h"
#include "domain/ptychography/step/optics.h"
#include "launch/map.h"

namespace sluice::ptycho::remote {
namespace {

constexpr index n = 6, modes = 2, slots = 5, pixels = n * n, of_pattern = pixels * modes;
constexpr CanvasShape canvas{40, 70, 2};

/// Arrays of a kernel, on the host or where a queue's memory is.
class Memory {
  public:
    explicit Memory(Queue* queue = nullptr) : queue_(queue) {}

    template <class T>
    T* array(std::vector<T> const& values) {
        auto const* const first = reinterpret_cast<std::byte const*>(values.data());
        here_.emplace_back(first, first + values.size() * sizeof(T));
        if (!queue_) return reinterpret_cast<T*>(here_.back().data());
        there_.push_back(Place<std::byte>::of(*queue_, here_.back()).value());
        return reinterpret_cast<T*>(there_.back().data());
    }
    std::list<std::vector<std::byte>> all() {
        if (!queue_) return here_;
        std::list<std::vector<std::byte>> read;
        for (auto const& place : there_) read.push_back(place.read(*queue_).value());
        return read;
    }

    std::vector<float> numbers(index count) {
        std::vector<float> values(static_cast<std::size_t>(count));
        for (float& x : values) x = normal_(random_);
        return values;
    }
    float* floats(index count) { return array(numbers(count)); }
    float* positive(index count) {
        auto values = numbers(count);
        for (float& x : values) x = 0.1f + x * x;
        return array(values);
    }
    Z* waves(index count) {
        std::vector<Z> values;
        auto const parts = numbers(2 * count);
        for (std::size_t i = 0; i < parts.size(); i += 2)
            values.push_back({parts[i], parts[i + 1]});
        return array(values);
    }

  private:
    Queue* queue_;
    std::mt19937 random_{7};
    std::normal_distribution<float> normal_{0.2f, 1.0f};
    std::list<std::vector<std::byte>> here_;
    std::list<Place<std::byte>> there_;
};

std::vector<Corner> corners() {
    std::vector<Corner> all;
    std::mt19937 random(3);
    std::uniform_real_distribution<double> part(-0.5, 0.5);
    for (int j = 0; j < 12; ++j)
        all.push_back({part(random), part(random), static_cast<std::int32_t>(random() % 34),
                       static_cast<std::int32_t>(random() % 64)});
    return all;
}

Order order() {
    return order_of({{7, 2, 11}, {4, 9, 0, 5, 3}, {1, 10, 8, 6}}, corners(), n, canvas.rows,
                    canvas.cols);
}

Some some(Memory& m) {
    return {m.array(corners()), m.array(order().patterns) + order().groups[1].first};
}

Tiles tiles(Memory& m) {
    Some const group = some(m);
    return {canvas, n, group, m.array(order().tiles) + order().groups[1].tile,
            m.array(order().windows)};
}

index tile_pixels() {
    return order().groups[1].tiles * Tile::area;
}

template <class K>
struct Launch {
    index count;
    K kernel;
};
template <class K>
Launch(index, K) -> Launch<K>;

/// make(memory) gives a launch; its arrays are the same in all memories.
template <class Make>
void same_everywhere(Make const& make) {
    Memory host;
    auto const here = make(host);
    launch::map(here.count, here.kernel);
    std::vector<Device> devices{Device::fake(), Device::reference(), Device::cpu(3)};
    if (auto const gpu = Device::cuda()) devices.push_back(*gpu);
    for (Device const& device : devices) {
        Queue queue = Queue::of(device).value();
        Memory memory(&queue);
        auto const there = make(memory);
        ASSERT_TRUE(launch::map(queue, there.count, there.kernel));
        ASSERT_TRUE(queue.wait());
        EXPECT_EQ(host.all(), memory.all()) << device.name();
    }
}

TEST(PtychographyKernels, OfWaves) {
    same_everywhere([](Memory& m) {
        return Launch{slots * 2 * n, MakeFactors{some(m), n, m.waves(slots * 2 * n)}};
    });
    same_everywhere([](Memory& m) {
        return Launch{slots * of_pattern, MoveProbe{m.waves(of_pattern), m.waves(slots * 2 * n), n,
                                                    modes, m.waves(slots * of_pattern)}};
    });
    same_everywhere([](Memory& m) {
        return Launch{slots * of_pattern,
                      MoveBack{m.waves(slots * 2 * n), n, modes, m.waves(slots * of_pattern)}};
    });
    for (bool shared : {false, true})
        same_everywhere([&](Memory& m) {
            return Launch{
                slots * of_pattern,
                PassSlice{some(m), Entry{m.waves(slots * of_pattern), shared},
                          m.waves(canvas.size()), canvas, n, modes, m.waves(slots * of_pattern)}};
        });
    same_everywhere([](Memory& m) {
        return Launch{slots * of_pattern, PassBack{some(m), m.waves(canvas.size()), canvas, n,
                                                   modes, m.waves(slots * of_pattern)}};
    });
    for (bool back : {false, true})
        same_everywhere([&](Memory& m) {
            return Launch{slots * of_pattern,
                          Propagate{m.waves(pixels), pixels, back, m.waves(slots * of_pattern)}};
        });
}

template <class T>
void weigh_everywhere(stem4d::Likelihood likelihood, bool masked) {
    constexpr index side = 3;
    same_everywhere([&](Memory& m) {
        std::vector<T> counts;
        std::vector<std::uint8_t> bad;
        for (int i = 0; i < 12 * side * side; ++i) counts.push_back(static_cast<T>(i * 7 % 23));
        for (int i = 0; i < side * side; ++i) bad.push_back(i % 4 == 1);
        std::uint8_t const* const mask = masked ? m.array(bad) : nullptr;
        return Launch{
            slots * side,
            WeighPixels<T>{some(m), m.waves(slots * of_pattern), m.array(counts), mask,
                           Pixels{n, side, 2}, modes, likelihood,
                           likelihood == stem4d::Likelihood::poisson, m.floats(slots * side * side),
                           m.floats(slots * quantities * side)}};
    });
}

TEST(PtychographyKernels, OfResiduals) {
    using enum stem4d::Likelihood;
    for (auto likelihood : {amplitude, poisson, gaussian})
        for (bool masked : {false, true}) {
            weigh_everywhere<std::uint8_t>(likelihood, masked);
            weigh_everywhere<std::uint16_t>(likelihood, masked);
            weigh_everywhere<float>(likelihood, masked);
        }
    same_everywhere([](Memory& m) {
        return Launch{slots * of_pattern, ApplyWeights{m.floats(slots * 4), Pixels{n, 2, 2}, modes,
                                                       m.waves(slots * of_pattern)}};
    });
    same_everywhere([](Memory& m) {
        return Launch{index{11}, AddRows{m.floats(11 * 37), 37, m.array(std::vector<double>(11))}};
    });
    same_everywhere([](Memory& m) {
        std::vector<double> errors;
        for (int i = 0; i < 12 * quantities; ++i)
            errors.push_back(i == 5 * quantities + 1 ? NAN : 0.1 * i);
        return Launch{
            3 * (errors_of_groups + 1),
            AddErrors{m.array(errors), m.array(order().begins), m.array(std::vector<double>(15))}};
    });
}

TEST(PtychographyKernels, OfSums) {
    for (index first : {0, 2})
        for (bool shared : {false, true})
            same_everywhere([&](Memory& m) {
                return Launch{tile_pixels(),
                              AddObject{tiles(m), first, 5, Entry{m.waves(5 * of_pattern), shared},
                                        m.waves(5 * of_pattern), modes, m.waves(canvas.size())}};
            });
    same_everywhere([](Memory& m) {
        return Launch{slots * pixels, KeepObject{Entry{m.waves(slots * of_pattern), false},
                                                 m.waves(slots * of_pattern), pixels, modes,
                                                 m.waves(slots * pixels)}};
    });
    for (bool begins : {false, true})
        same_everywhere([&](Memory& m) {
            return Launch{of_pattern, AddProbe{m.waves(slots * of_pattern), slots, of_pattern,
                                               begins, m.waves(of_pattern)}};
        });
    same_everywhere([](Memory& m) {
        return Launch{pixels, ProbePower{m.waves(of_pattern), pixels, modes, m.floats(pixels)}};
    });
    same_everywhere([](Memory& m) {
        return Launch{pixels, ObjectPower{some(m), slots, m.waves(canvas.size()), canvas, n,
                                          m.floats(pixels)}};
    });
    same_everywhere([](Memory& m) {
        return Launch{tile_pixels(),
                      AddLight{tiles(m), slots, m.positive(pixels), m.floats(tile_pixels())}};
    });
    same_everywhere([](Memory& m) {
        return Launch{tile_pixels(), LitPower{tiles(m), slots, m.waves(2 * canvas.size()),
                                              m.floats(tile_pixels())}};
    });
    same_everywhere([](Memory& m) {
        return Launch{index{32}, Largest{m.floats(999), 999, 32, m.floats(32)}};
    });
}

TEST(PtychographyKernels, OfMoves) {
    using Kind = Divisor::Kind;
    for (Kind kind : {Kind::peak, Kind::shared, Kind::damped}) {
        auto const divisor = [&](Memory& m, index count) {
            return Divisor{kind, m.positive(1), 3, 0.1f, m.positive(count)};
        };
        same_everywhere([&](Memory& m) {
            return Launch{tile_pixels(),
                          StepTiles{tiles(m), m.waves(canvas.size()), -0.7f,
                                    divisor(m, tile_pixels()), m.waves(canvas.size())}};
        });
        same_everywhere([&](Memory& m) {
            return Launch{of_pattern, StepProbe{m.waves(of_pattern), -0.7f, divisor(m, pixels),
                                                pixels, m.waves(of_pattern)}};
        });
    }
    same_everywhere([](Memory& m) {
        return Launch{tile_pixels(),
                      AddTiles{tiles(m), m.waves(canvas.size()), 0.3f, m.waves(canvas.size())}};
    });
    same_everywhere([](Memory& m) {
        return Launch{tile_pixels(), ClearTiles{tiles(m), m.waves(canvas.size())}};
    });
    same_everywhere([](Memory& m) {
        return Launch{index{99}, AddScaled{m.waves(99), 0.3f, m.waves(99)}};
    });
    for (bool by_peak : {false, true})
        same_everywhere([&](Memory& m) {
            return Launch{index{99}, StepAdam{m.waves(99), 0.02, by_peak ? m.positive(1) : nullptr,
                                              1.7f, m.waves(99), m.positive(99), m.waves(99)}};
        });
    same_everywhere([](Memory& m) {
        return Launch{slots * n,
                      StepSystems{some(m), canvas, n, modes, m.waves(canvas.size()),
                                  m.waves(canvas.size()), m.waves(of_pattern), m.waves(of_pattern),
                                  m.waves(slots * pixels), m.waves(slots * of_pattern),
                                  m.waves(of_pattern), 0.1f, m.floats(slots * 5 * n)}};
    });
    same_everywhere([](Memory& m) {
        return Launch{index{9}, Drift{0.7f, 0.3f, m.waves(9), m.waves(9), m.waves(9)}};
    });
    same_everywhere([](Memory& m) { return Launch{index{9}, Clear{m.floats(9)}}; });
    same_everywhere([](Memory& m) { return Launch{index{9}, Copy{m.waves(9), m.waves(9)}}; });
    same_everywhere([](Memory& m) { return Launch{index{9}, Scale{0.3f, m.waves(9)}}; });
}

template <class T>
void set_moduli_everywhere(bool masked) {
    same_everywhere([&](Memory& m) {
        std::vector<T> counts;
        std::vector<std::uint8_t> bad;
        for (int i = 0; i < 12 * pixels; ++i) counts.push_back(static_cast<T>(i * 7 % 23));
        for (int i = 0; i < pixels; ++i) bad.push_back(i % 4 == 1);
        std::vector<double> errors;
        for (double amplitude : {3, 90, 7, 50, 2}) {
            errors.resize(errors.size() + quantities);
            errors[errors.size() - quantities] = amplitude;
        }
        std::uint8_t const* const mask = masked ? m.array(bad) : nullptr;
        return Launch{slots * pixels,
                      SetModuli<T>{some(m), m.array(counts), mask, m.array(errors), 0.15, pixels,
                                   modes, 0.03f, m.waves(slots * of_pattern)}};
    });
}

TEST(PtychographyKernels, OfProjections) {
    for (bool masked : {false, true}) {
        set_moduli_everywhere<std::uint8_t>(masked);
        set_moduli_everywhere<std::uint16_t>(masked);
        set_moduli_everywhere<float>(masked);
    }
    same_everywhere([](Memory& m) {
        return Launch{index{9}, MixWaves{m.waves(9), m.waves(9), 1.3f, m.waves(9)}};
    });
    same_everywhere([](Memory& m) {
        return Launch{index{9}, UpdateWaves{m.waves(9), m.waves(9), -0.3f, 1.1f, m.waves(9)}};
    });
    same_everywhere([](Memory& m) {
        return Launch{tile_pixels(),
                      FitObject{tiles(m), m.waves(canvas.size()), m.positive(tile_pixels()), 0.01f,
                                m.waves(canvas.size())}};
    });
    same_everywhere([](Memory& m) {
        return Launch{of_pattern, FitProbe{some(m), slots, n, modes, m.waves(canvas.size()), canvas,
                                           m.waves(slots * of_pattern), m.positive(pixels),
                                           m.floats(2 * of_pattern), m.waves(of_pattern)}};
    });
}

TEST(PtychographyKernels, TurnsAndLogarithmsAreThoseOfTheLibrary) {
    for (double turns = -0.25; turns <= 0.25; turns += 0.003) {
        Z const z = turned(turns);
        auto const right = std::polar(1.0, 2 * std::numbers::pi * turns);
        EXPECT_NEAR(z.re, right.real(), 6e-8) << turns;
        EXPECT_NEAR(z.im, right.imag(), 6e-8) << turns;
    }
    for (float x = 1e-9f; x < 1e9f; x *= 1.7f)
        EXPECT_NEAR(logarithm(x), std::log(x), 2e-6 * std::max(1.0f, std::abs(std::log(x)))) << x;
}

TEST(PtychographyKernels, PixelsAreThoseOfTheOptics) {
    struct {
        index window, detector, bin;
    } const cases[] = {{16, 16, 1}, {15, 15, 1}, {16, 8, 2}, {20, 8, 2}, {21, 7, 3}, {18, 7, 2}};
    for (bool near : {false, true})
        for (auto const& c : cases) {
            Model const model{.window = c.window,
                              .detector = c.detector,
                              .bin = c.bin,
                              .propagation = near ? Propagation::near : Propagation::far,
                              .distance_nm = 1,
                              .wavelength_nm = 0.002,
                              .pixel_nm = 0.1};
            auto const optics = Optics<float>::make(model).value();
            Pixels const map{c.window, c.detector, c.bin, near};
            for (index q = 0; q < c.window * c.window; ++q) {
                index const row = map.in_pattern(q / c.window), col = map.in_pattern(q % c.window);
                index const found = row < 0 || col < 0 ? -1 : row * c.detector + col;
                EXPECT_EQ(found, optics.detector_of()[static_cast<std::size_t>(q)]) << c.window;
            }
            for (index p = 0; p < c.detector; ++p)
                for (index b = 0; b < c.bin; ++b) EXPECT_EQ(map.in_pattern(map.in_wave(p, b)), p);
        }
}

// The windows of each pixel, in the group's order, beside a look at all of them.
TEST(PtychographyKernels, TilesKnowTheirWindows) {
    Memory m;
    auto const all = order();
    for (Group const& group : all.groups) {
        Tiles const here{canvas,
                         n,
                         {all.patterns.empty() ? nullptr : m.array(corners()),
                          all.patterns.data() + group.first},
                         all.tiles.data() + group.tile,
                         all.windows.data()};
        index touched = 0, lit = 0;
        for (index i = 0; i < group.tiles * Tile::area; ++i) {
            index const at = here.pixel(i);
            if (at < 0) continue;
            std::vector<std::pair<index, index>> found, right;
            here.each_window(i, 1, group.count, [&](index slot, index q) {
                found.emplace_back(slot, q);
                return true;
            });
            for (index slot = 1; slot < group.count; ++slot) {
                Corner const& corner = here.group.corner(slot);
                index const r = at / canvas.cols - corner.row, c = at % canvas.cols - corner.col;
                if (r >= 0 && r < n && c >= 0 && c < n) right.emplace_back(slot, r * n + c);
            }
            EXPECT_EQ(found, right) << at;
            touched += std::ssize(found);
            here.each_window(i, 0, group.count, [&](index, index) {
                ++lit;
                return true;
            });
        }
        // No window has a pixel outside the tiles.
        EXPECT_EQ(touched, (group.count - 1) * pixels);
        EXPECT_EQ(lit, group.count * pixels);
        EXPECT_LE(group.tiles, group.count * most_touched(n));
    }
    EXPECT_EQ(tiles_of(canvas.rows, canvas.cols), 6);
    EXPECT_EQ(most_touched(1), 1);
    EXPECT_EQ(most_touched(2), 4);
    EXPECT_EQ(most_touched(33), 4);
    EXPECT_EQ(most_touched(34), 9);
}

}  // namespace
}  // namespace sluice::ptycho::remote
