// Trains the evaluation network, or the linear evaluation, on self-play records.
//
//     train OUT RECORDS... [--linear 1] [--epochs E] [--rate R] [--outcome SHARE] [--seed S]
//
// Writes the weights as integers: OUT is cpp/evaluation/network_weights.inc or
// cpp/evaluation/linear_weights.inc. The same arguments and records give the same weights on the same
// machine. Says R2 on games held out.
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <thread>

#include "export.hpp"
#include "model.hpp"

namespace {

using namespace training;

struct Options {
    std::string out;
    std::vector<std::string> files;
    bool linear = false;
    int epochs = 12;
    float rate = 3e-3F;
    float outcome = 0.4F;
    std::uint64_t seed = 1;
};

constexpr std::size_t kBatch = 4096;
constexpr std::size_t kShares = 2;  // of a batch, summed in order: the result ignores the machine
constexpr std::size_t kRun = 256;   // records held out together, so that games do not leak
constexpr int kSmallBoard = 10;     // boards that tables answer are learnt from less often
constexpr int kSmallBoardEvery = 4;
constexpr float kWeightLimit = 7.5F;

Example example_of(const Record& record, float outcome_share) {
    Example example;
    example.inputs = inputs_of(record);
    const int seeds = seeds_of(record);
    example.seeds = static_cast<std::uint8_t>(seeds);
    example.output_set =
        static_cast<std::uint8_t>(std::min(seeds / wari::kSeedsPerOutputSet, wari::kOutputSets - 1));
    const float share = record.exact != 0 ? 0 : outcome_share;
    example.target = ((1 - share) * record.score + share * record.outcome) / 100;
    return example;
}

void split(const std::vector<Record>& records, const Options& options, std::vector<Example>& learn,
           std::vector<Example>& held_out) {
    for (std::size_t i = 0; i < records.size(); ++i) {
        const Example example = example_of(records[i], options.outcome);
        if (i / kRun % 50 == 7) {
            held_out.push_back(example);
        } else if (example.seeds > kSmallBoard || i % kSmallBoardEvery == 0) {
            learn.push_back(example);
        }
    }
}

// R2 of the model on held-out examples, in bands of seeds.
void report(const Model& model, const std::vector<Example>& examples, int epoch) {
    constexpr int kBands[][2] = {{1, 12}, {13, 24}, {25, 34}, {35, 96}, {1, 96}};
    std::printf("epoch %d: R2", epoch);
    std::vector<float> errors;
    for (const Example& example : examples) errors.push_back(model.answer(example) - example.target);
    for (const auto& band : kBands) {
        double n = 0, sum = 0, squares = 0, error = 0;
        for (std::size_t i = 0; i < examples.size(); ++i) {
            if (examples[i].seeds < band[0] || examples[i].seeds > band[1]) continue;
            n += 1;
            sum += examples[i].target;
            squares += examples[i].target * examples[i].target;
            error += errors[i] * errors[i];
        }
        if (n > 1) std::printf(" %d-%d %.4f", band[0], band[1], 1 - error / (squares - sum * sum / n));
    }
    std::printf(" (%ld s of CPU)\n", static_cast<long>(std::clock() / CLOCKS_PER_SEC));
    std::fflush(stdout);
}

void shuffle(std::vector<Example>& examples, std::uint64_t& state) {
    for (std::size_t i = examples.size(); i > 1; --i) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        std::swap(examples[i - 1], examples[(state >> 32) % i]);
    }
}

// Warms up over a twentieth of the steps, then falls as a half cosine to nothing.
float rate_at(double done, float rate) {
    constexpr double kWarm = 0.05;
    if (done < kWarm) return rate * static_cast<float>(done / kWarm);
    return rate * static_cast<float>(0.5 * (1 + std::cos(3.14159265 * (done - kWarm) / (1 - kWarm))));
}

void train(Model& model, std::vector<Example>& learn, const std::vector<Example>& held_out,
           const Options& options) {
    Optimiser optimiser(model.values.size());
    std::vector<float> gradients[kShares];
    std::vector<float> scratch[kShares];
    std::uint64_t state = options.seed;
    const std::size_t batches = learn.size() / kBatch;
    const double steps = static_cast<double>(batches) * options.epochs;
    for (int epoch = 0; epoch < options.epochs; ++epoch) {
        shuffle(learn, state);
        for (std::size_t batch = 0; batch < batches; ++batch) {
            const auto work = [&](std::size_t share) {
                gradients[share].assign(model.values.size(), 0.0F);
                const std::size_t from = batch * kBatch + share * (kBatch / kShares);
                model.learn({&learn[from], kBatch / kShares}, gradients[share], scratch[share]);
            };
            std::thread second(work, 1);
            work(0);
            second.join();
            for (std::size_t i = 0; i < model.values.size(); ++i) {
                gradients[0][i] = (gradients[0][i] + gradients[1][i]) / static_cast<float>(kBatch);
            }
            const double done = (static_cast<double>(batches) * epoch + static_cast<double>(batch)) / steps;
            optimiser.step(model.values, gradients[0], rate_at(done, options.rate), kWeightLimit);
        }
        report(model, held_out, epoch + 1);
    }
}

bool read_options(int argc, char** argv, Options& options) {
    if (argc < 3) return false;
    options.out = argv[1];
    if (argv[1][0] == '\0' || argv[1][0] == '-') return false;
    for (int i = 2; i < argc; ++i) {
        const std::string word = argv[i];
        if (word.rfind("--", 0) != 0) {
            options.files.push_back(word);
            continue;
        }
        if (++i == argc) return false;
        const double value = std::atof(argv[i]);
        if (word == "--linear")
            options.linear = value != 0;
        else if (word == "--epochs")
            options.epochs = static_cast<int>(value);
        else if (word == "--rate")
            options.rate = static_cast<float>(value);
        else if (word == "--outcome")
            options.outcome = static_cast<float>(value);
        else if (word == "--seed")
            options.seed = static_cast<std::uint64_t>(value);
        else
            return false;
    }
    return !options.files.empty() && options.epochs > 0;
}

}  // namespace

int main(int argc, char** argv) {
    Options options;
    if (!read_options(argc, argv, options)) {
        std::fputs(
            "usage: train OUT RECORDS... [--linear 1] [--epochs E] [--rate R] [--outcome SHARE] [--seed S]\n",
            stderr);
        return 2;
    }
    std::vector<Record> records;
    for (const std::string& file : options.files) {
        if (!read_records(file, records)) {
            std::fprintf(stderr, "%s: cannot be read as records\n", file.c_str());
            return 1;
        }
    }
    std::vector<Example> learn;
    std::vector<Example> held_out;
    split(records, options, learn, held_out);
    if (learn.size() < kBatch || held_out.empty()) {
        std::fputs("too few records: play more games\n", stderr);
        return 1;
    }
    std::printf("%zu examples to learn from, %zu held out\n", learn.size(), held_out.size());
    Model model(options.linear ? 0 : wari::kHidden, options.seed);
    train(model, learn, held_out, options);
    const std::string problem = export_weights(model, options.out);
    if (!problem.empty()) std::fprintf(stderr, "%s\n", problem.c_str());
    return problem.empty() ? 0 : 1;
}
