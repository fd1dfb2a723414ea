// The step of ptychography beside the same step on FFTW: the same patterns, object and probe, one
// mode, positions on whole pixels, groups of sixteen (or of the number given); sums of gradients of
// object and probe.
//
//     ninja -C build/release ptychography_fftw_step && build/release/bin/ptychography_fftw_step
//     [46]
//
// FFTW has measured plans, and what surrounds it is compiled for this processor with everything the
// compiler knows. Each of its threads adds to a canvas of its own, which is the fastest way and
// has other last bits for other threads. Answers are compared first; rounds are interleaved.
// SPDX-License-Identifier: Apache-2.0
#include <fftw3.h>
#include <fmt/format.h>

#include <cmath>
#include <thread>

#include "base/splitmix.h"
#include "bench/machine.h"
#include "bench/rounds.h"
#include "device/workers.h"
#include "domain/ptychography/step/fast_step.h"
#include "fft/fft.h"

namespace sluice::ptycho {
namespace {

constexpr index places = 20;

struct Drawn {
    std::uint64_t at = 7;
    double operator()() {
        at += splitmix::golden;
        return static_cast<double>(splitmix::mix(at) >> 11) * 0x1p-53;
    }
};

struct Problem {
    Model model;
    Measured measured;
    State<float> state;
    std::vector<std::vector<index>> groups;
};

// What the wave gives, with noise.
void add_pattern(State<float> const& state, stem4d::Position const& at, Drawn& drawn,
                 std::vector<std::uint16_t>& counts) {
    Planar<float> const &probe = state.probe.front(), &object = state.object.front();
    index const side = probe.rows();
    auto const plan = fft::Plan<float>::make({.shape = {side, side}}).value();
    std::vector<std::complex<float>> wave;
    for (index r = 0; r < side; ++r)
        for (index c = 0; c < side; ++c)
            wave.push_back(probe.at(r, c) * object.at(r + static_cast<index>(at.row),
                                                      c + static_cast<index>(at.col)));
    expects(plan.forward(wave).has_value());
    for (auto z : wave) {
        double const mean = std::norm(z) / static_cast<double>(side * side);
        counts.push_back(static_cast<std::uint16_t>(mean * (0.5 + drawn()) + drawn()));
    }
}

Problem make_problem(index side, index together) {
    Problem p;
    Drawn drawn;
    p.model = {.window = side, .detector = side, .sub_pixel = false};
    double const step = 0.07 * static_cast<double>(side);
    for (index r = 0; r < places; ++r)
        for (index c = 0; c < places; ++c)
            p.state.positions.push_back({std::rint(step * static_cast<double>(r) + 4 * drawn()),
                                         std::rint(step * static_cast<double>(c) + 4 * drawn())});
    index const extent = side + static_cast<index>(step * places) + 8;
    Planar<float> object(extent, extent), probe(side, side);
    for (index r = 0; r < extent; ++r)
        for (index c = 0; c < extent; ++c)
            object.set(r, c,
                       std::polar(0.9f, static_cast<float>(0.6 * std::sin(0.21 * double(c)) *
                                                           std::cos(0.17 * double(r)))));
    double const width = 0.1 * static_cast<double>(side);
    for (index r = 0; r < side; ++r)
        for (index c = 0; c < side; ++c) {
            double const y = static_cast<double>(r - side / 2) / width;
            double const x = static_cast<double>(c - side / 2) / width;
            probe.set(r, c,
                      std::polar(static_cast<float>(20 * std::exp(-0.5 * (x * x + y * y))),
                                 static_cast<float>(0.8 * (x * x + y * y))));
        }
    p.state.object.push_back(std::move(object));
    p.state.probe.push_back(std::move(probe));
    std::vector<std::uint16_t> counts;
    for (auto const& at : p.state.positions) add_pattern(p.state, at, drawn, counts);
    p.measured.patterns.size = side;
    p.measured.patterns.positions = p.state.positions;
    p.measured.patterns.counts = std::move(counts);
    p.measured.sums.assign(p.state.positions.size(), 1);
    p.measured.squares = p.measured.sums;
    index const count = std::ssize(p.state.positions);
    for (index j = 0; j < count; j += together) {
        auto& group = p.groups.emplace_back();
        for (index k = j; k < std::min(j + together, count); ++k) group.push_back(k * 7 % count);
    }
    return p;
}

// Two floats to a number.
using Waves = std::vector<float>;

Waves interleaved(Planar<float> const& plane) {
    Waves out;
    for (index r = 0; r < plane.rows(); ++r)
        for (index c = 0; c < plane.cols(); ++c) {
            out.push_back(plane.re(r)[c]);
            out.push_back(plane.im(r)[c]);
        }
    return out;
}

class OnFftw {
  public:
    OnFftw(Problem const& p, int threads)
        : problem_(p),
          side_(p.model.window),
          extent_(p.state.object.front().rows()),
          object_(interleaved(p.state.object.front())),
          probe_(interleaved(p.state.probe.front())),
          rooms_(static_cast<std::size_t>(threads)) {
        for (auto& room : rooms_) {
            room.wave = fftwf_alloc_complex(static_cast<std::size_t>(side_ * side_));
            room.of_object.resize(object_.size());
            room.of_probe.resize(probe_.size());
        }
        auto const n = static_cast<int>(side_);
        auto* const wave = rooms_.front().wave;
        forward_ = fftwf_plan_dft_2d(n, n, wave, wave, FFTW_FORWARD, FFTW_MEASURE);
        inverse_ = fftwf_plan_dft_2d(n, n, wave, wave, FFTW_BACKWARD, FFTW_MEASURE);
    }
    OnFftw(OnFftw const&) = delete;
    OnFftw& operator=(OnFftw const&) = delete;
    ~OnFftw() {
        fftwf_destroy_plan(forward_);
        fftwf_destroy_plan(inverse_);
        for (auto& room : rooms_) fftwf_free(room.wave);
    }

    void run(std::vector<index> const& group) {
        for (auto& room : rooms_) {
            std::fill(room.of_object.begin(), room.of_object.end(), 0.0f);
            std::fill(room.of_probe.begin(), room.of_probe.end(), 0.0f);
        }
        parallel_for(
            std::ssize(group), static_cast<int>(rooms_.size()), 1, [&](index i, int worker) {
                one(group[static_cast<std::size_t>(i)], rooms_[static_cast<std::size_t>(worker)]);
            });
        for (std::size_t k = 1; k < rooms_.size(); ++k) {
            add(rooms_[k].of_object, rooms_.front().of_object);
            add(rooms_[k].of_probe, rooms_.front().of_probe);
        }
    }
    Waves const& of_object() const { return rooms_.front().of_object; }
    Waves const& of_probe() const { return rooms_.front().of_probe; }

  private:
    struct Room {
        fftwf_complex* wave = nullptr;
        Waves of_object, of_probe;
        float amplitude = 0;
    };

    static void add(Waves const& from, Waves& to) {
        for (std::size_t i = 0; i < to.size(); ++i) to[i] += from[i];
    }

    void one(index j, Room& room) const {
        auto const& at = problem_.state.positions[static_cast<std::size_t>(j)];
        index const start = static_cast<index>(at.row) * extent_ + static_cast<index>(at.col);
        float* const wave = reinterpret_cast<float*>(room.wave);
        for (index r = 0; r < side_; ++r) {
            float const* const o = object_.data() + 2 * (start + r * extent_);
            float const* const p = probe_.data() + 2 * r * side_;
            float* const w = wave + 2 * r * side_;
            for (index c = 0; c < 2 * side_; c += 2) {
                w[c] = o[c] * p[c] - o[c + 1] * p[c + 1];
                w[c + 1] = o[c] * p[c + 1] + o[c + 1] * p[c];
            }
        }
        fftwf_execute_dft(forward_, room.wave, room.wave);
        auto const* const counts =
            std::get<std::vector<std::uint16_t>>(problem_.measured.patterns.counts).data() +
            j * side_ * side_;
        float const scale = 1 / static_cast<float>(side_ * side_);
        float amplitude = 0;
        for (index i = 0; i < side_ * side_; ++i) {
            float const re = wave[2 * i], im = wave[2 * i + 1];
            float const model = std::sqrt((re * re + im * im) * scale + 1e-12f);
            float const measured = std::sqrt(static_cast<float>(counts[i]));
            float const weight = (1 - measured / model) * scale;
            amplitude += (model - measured) * (model - measured);
            wave[2 * i] = re * weight;
            wave[2 * i + 1] = im * weight;
        }
        room.amplitude += amplitude;
        fftwf_execute_dft(inverse_, room.wave, room.wave);
        for (index r = 0; r < side_; ++r) {
            float const* const o = object_.data() + 2 * (start + r * extent_);
            float const* const p = probe_.data() + 2 * r * side_;
            float const* const w = wave + 2 * r * side_;
            float* const to = room.of_object.data() + 2 * (start + r * extent_);
            float* const back = room.of_probe.data() + 2 * r * side_;
            for (index c = 0; c < 2 * side_; c += 2) {
                to[c] += p[c] * w[c] + p[c + 1] * w[c + 1];
                to[c + 1] += p[c] * w[c + 1] - p[c + 1] * w[c];
                back[c] += o[c] * w[c] + o[c + 1] * w[c + 1];
                back[c + 1] += o[c] * w[c + 1] - o[c + 1] * w[c];
            }
        }
    }

    Problem const& problem_;
    index side_, extent_;
    Waves object_, probe_;
    std::vector<Room> rooms_;
    fftwf_plan forward_, inverse_;
};

double apart(Planar<float> const& ours, Waves const& theirs) {
    double difference = 0, length = 0;
    for (index r = 0; r < ours.rows(); ++r)
        for (index c = 0; c < ours.cols(); ++c) {
            auto const at = static_cast<std::size_t>(2 * (r * ours.cols() + c));
            difference += std::pow(ours.re(r)[c] - theirs[at], 2) +
                          std::pow(ours.im(r)[c] - theirs[at + 1], 2);
            length += std::pow(theirs[at], 2) + std::pow(theirs[at + 1], 2);
        }
    return std::sqrt(difference / length);
}

Status compare(index side, index together, int threads, Isa isa) {
    Problem rows = make_problem(side, together);  // counts row by row
    Problem ours = make_problem(side, together);
    order_for_passes(ours.measured, threads);
    SLUICE_TRY(auto const step, make_fast_step(ours.model, ours.measured, isa));
    auto sums = reserve_sums(ours.model, ours.state);
    std::vector<Gradients<float>> rest(static_cast<std::size_t>(together));
    OnFftw rival(rows, threads);
    auto const clear = [&] {
        sums.object.front() = Planar<float>(sums.object.front().rows(), sums.object.front().cols());
    };
    step->add_gradients(ours.state, ours.groups.front(), {}, rest, sums, threads);
    rival.run(rows.groups.front());
    double const object = apart(sums.object.front(), rival.of_object());
    double const probe = apart(sums.probe.front(), rival.of_probe());
    if (!(object < 1e-4 && probe < 1e-4))
        return Error{Code::corrupt, fmt::format("the answers differ by {:.2g} and {:.2g} (rounding "
                                                "makes 1e-5) nothing is timed",
                                                object, probe)};
    clear();
    std::vector<bench::Contestant> all(2);
    all[0].name = "sluice";
    all[0].run = bench::timed([&]() -> Status {
        for (auto const& group : ours.groups)
            step->add_gradients(ours.state, group, {}, rest, sums, threads);
        return {};
    });
    all[1].name = "on FFTW";
    all[1].run = bench::timed([&]() -> Status {
        for (auto const& group : rows.groups) rival.run(group);
        return {};
    });
    for (auto& who : all) who.threads = threads;
    std::vector<std::string> notes;
    SLUICE_TRY(auto const found, bench::run_rounds(all, {2, 15}, notes));
    auto const rate = [&](bench::Measured const& m) {
        return static_cast<double>(places * places) / m.wall_s();
    };
    fmt::print("| {}x{} | {} | {} | {:.0f} | {:.0f} | {:.2f} | {:.1f} | {:.1f} | {:.1g} |\n", side,
               side, name_of(isa), threads, rate(found[0]), rate(found[1]),
               found[1].wall_s() / found[0].wall_s(), 1e6 * found[0].cpu_s() / (places * places),
               1e6 * found[1].cpu_s() / (places * places), std::max(object, probe));
    std::fflush(stdout);
    return {};
}

}  // namespace
}  // namespace sluice::ptycho

int main(int argc, char** argv) {
    using namespace sluice;
    sluice::index const together = argc > 1 ? std::max(std::atoi(argv[1]), 1) : 16;
    fmt::print(
        "{}, groups of {}\n\n| patterns | instructions | threads | sluice, patterns/s | on FFTW | "
        "ratio | "
        "sluice, "
        "µs of processor | on FFTW | answers apart |\n|---|---|---|---|---|---|---|---|---|\n",
        bench::machine_line(bench::machine()), together);
    auto const most = static_cast<int>(std::thread::hardware_concurrency());
    for (sluice::index side : {64, 128, 192, 256})
        for (Isa isa : {Isa::avx512, Isa::avx2})
            for (int threads : {1, most}) {
                if (!runs_here(isa)) continue;
                if (auto s = ptycho::compare(side, together, threads, isa); !s) {
                    fmt::print(stderr, "{}\n", s.error().message);
                    return 1;
                }
            }
    return 0;
}
