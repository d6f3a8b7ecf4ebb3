// ProofKernel: proofs over the states of a circuit, for Python.

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include "common/arguments.hpp"
#include "common/ask_to_stop.hpp"
#include "common/bind.hpp"
#include "common/bits.hpp"
#include "common/one_user.hpp"
#include "proof/search.hpp"

namespace nb = nanobind;

namespace ludorum {

namespace {

class ProofKernel {
  public:
    ProofKernel(const EvaluatorSource &evaluators, const Whole &table_bytes)
        : network_(evaluators.network),
          evaluator_(evaluators.make()),
          search_(*evaluator_, table_bytes.in<std::size_t>("table_bytes", 0, MOST_TABLE_BYTES)),
          root_((network_->fluents + 63) / 64) {}

    void set_outlook(const EvaluatorSource &evaluators) {
        const OneUser::Hold hold = user_.hold(REFUSAL);
        search_.set_outlook(evaluators.make());
    }

    // Each: what becomes of every fluent, then of every move.
    void set_symmetries(const std::vector<std::vector<std::uint32_t>> &renamings) {
        const OneUser::Hold hold = user_.hold(REFUSAL);
        const std::size_t fluents = network_->fluents, moves = network_->moves;
        StateSymmetries symmetries(network_->fluents, network_->moves);
        for (const auto &renaming : renamings) {
            if (renaming.size() != fluents + moves) throw std::invalid_argument("one number for each fluent and move");
            const auto middle = renaming.begin() + static_cast<std::ptrdiff_t>(fluents);
            const std::vector<std::uint32_t> own(renaming.begin(), middle), done(middle, renaming.end());
            if (!is_permutation(own) || !is_permutation(done)) throw std::invalid_argument("a renaming is one to one");
            symmetries.add(own, done);
        }
        search_.set_symmetries(std::move(symmetries));
    }

    // True: the role gets as much; False: it does not; None: not known yet.
    std::optional<bool> prove(const nb::bytes &state, const Whole &role, const Whole &threshold, bool depth_first,
                              const Whole &played_depth, bool look_ahead, const std::optional<Whole> &nodes,
                              std::optional<double> seconds, std::optional<nb::callable> stop) {
        ProofTask asked = task(role, threshold, depth_first, nodes, seconds, stop);
        asked.played_depth = played_depth.as<std::uint32_t>("played_depth");
        const OneUser::Hold hold = user_.hold(REFUSAL);
        put_root(state);
        asked.look_ahead = look_ahead;
        Verdict verdict;
        {
            nb::gil_scoped_release release;
            verdict = search_.search(root_, asked);
        }
        if (verdict == Verdict::unknown) return std::nullopt;
        return verdict == Verdict::proved;
    }

    std::optional<nb::tuple> strategy(const nb::bytes &state, const Whole &role, const Whole &threshold, bool proved,
                                      bool depth_first, bool look_ahead, const std::optional<Whole> &nodes,
                                      std::optional<double> seconds, std::optional<nb::callable> stop) {
        ProofTask asked = task(role, threshold, depth_first, nodes, seconds, stop);
        const OneUser::Hold hold = user_.hold(REFUSAL);
        put_root(state);
        asked.look_ahead = look_ahead;
        ProofStrategy found;
        {
            nb::gil_scoped_release release;
            found = search_.strategy(root_, asked, proved ? Verdict::proved : Verdict::disproved);
        }
        if (!found.complete) return std::nullopt;
        return nb::make_tuple(
            nb::bytes(found.states.data(), found.states.size()),
            nb::bytes(found.moves.data(), found.moves.size() * sizeof(std::int32_t)));
    }

    void forget() {
        const OneUser::Hold hold = user_.hold(REFUSAL);
        search_.forget();
    }
    std::size_t table_bytes() const { return search_.table_bytes(); }
    std::uint64_t nodes() const { return search_.nodes(); }
    std::uint64_t repetitions() const { return search_.repetitions(); }
    bool too_deep() const { return search_.too_deep(); }
    std::optional<std::int32_t> sum() {
        const OneUser::Hold hold = user_.hold(REFUSAL);
        if (search_.lowest_sum() != search_.highest_sum()) return std::nullopt;
        return search_.lowest_sum();
    }

    std::vector<std::int32_t> seen_goals(const Whole &given_role) {
        const std::uint32_t role = checked_role(given_role, network_->roles());
        const OneUser::Hold hold = user_.hold(REFUSAL);
        std::vector<std::int32_t> found;
        for (std::uint32_t goal = 0; goal <= 100; ++goal)
            if (search_.seen(role, goal)) found.push_back(static_cast<std::int32_t>(goal));
        return found;
    }

  private:
    static constexpr const char *REFUSAL = "one search at a time";

    static bool is_permutation(const std::vector<std::uint32_t> &images) {
        std::vector<char> met(images.size(), 0);
        for (std::uint32_t image : images) {
            if (image >= images.size() || met[image]) return false;
            met[image] = 1;
        }
        return true;
    }

    void put_root(const nb::bytes &state) {
        const std::size_t bytes = packed_bytes(network_->fluents);
        if (state.size() != bytes) throw std::invalid_argument("a state has " + std::to_string(bytes) + " bytes");
        const auto *row = reinterpret_cast<const std::uint8_t *>(state.c_str());
        for (std::size_t chunk = 0; chunk < root_.size(); ++chunk) root_[chunk] = load_chunk(row, bytes, chunk);
        if (network_->fluents & 63) root_.back() &= ~(~0ull << (network_->fluents & 63));
    }

    ProofTask task(const Whole &role, const Whole &threshold, bool depth_first, const std::optional<Whole> &nodes,
                   std::optional<double> seconds, const std::optional<nb::callable> &stop) const {
        ProofTask asked;
        asked.role = checked_role(role, network_->roles());
        asked.threshold = threshold.as<std::int32_t>("threshold");
        asked.method = depth_first ? ProofMethod::depth_first : ProofMethod::proof_numbers;
        if (nodes) asked.nodes = nodes->as<std::uint64_t>("nodes");
        asked.stop = AskToStop(checked_seconds(seconds), stop);
        return asked;
    }

    std::shared_ptr<const Network> network_;
    std::unique_ptr<SingleEvaluator> evaluator_;
    ProofSearch search_;
    Words root_;
    OneUser user_;
};

}  // namespace

void bind_proof(nb::module_ &m) {
    nb::exception<NotTurnTaking>(m, "NotTurnTakingError", PyExc_ValueError);
    nb::class_<ProofKernel>(m, "ProofKernel", "Proofs of goal values; states are packed bits, moves are numbers.")
        .def(nb::init<const EvaluatorSource &, const Whole &>(), nb::arg("evaluators"), nb::arg("table_bytes"))
        .def("prove", &ProofKernel::prove, nb::arg("state"), nb::arg("role"), nb::arg("threshold"), nb::kw_only(),
             nb::arg("depth_first") = false, nb::arg("played_depth") = 0, nb::arg("look_ahead") = false,
             nb::arg("nodes") = nb::none(),
             nb::arg("seconds") = nb::none(), nb::arg("stop") = nb::none(),
             "Whether a role gets at least so much, whatever the others do; None where that is not known yet.")
        .def("strategy", &ProofKernel::strategy, nb::arg("state"), nb::arg("role"), nb::arg("threshold"),
             nb::arg("proved"), nb::kw_only(), nb::arg("depth_first") = false, nb::arg("look_ahead") = false,
             nb::arg("nodes") = nb::none(),
             nb::arg("seconds") = nb::none(), nb::arg("stop") = nb::none(),
             "Packed states and the move chosen in each, by the role (proved) or by the others; None: not found.")
        .def("set_outlook", &ProofKernel::set_outlook, nb::arg("evaluators"),
             "Evaluators of the same game that know what is decided two moves later; used where it is asked for.")
        .def("set_symmetries", &ProofKernel::set_symmetries, nb::arg("renamings"),
             "Renamings of fluents and moves under which states are the same; empties the table.")
        .def("seen_goals", &ProofKernel::seen_goals, nb::arg("role"), "The goals of a role at ends seen so far.")
        .def("forget", &ProofKernel::forget, "Empties the table.")
        .def_prop_ro("table_bytes", &ProofKernel::table_bytes, "Memory of the table.")
        .def_prop_ro("nodes", &ProofKernel::nodes, "States looked at so far, in all searches.")
        .def_prop_ro("repetitions", &ProofKernel::repetitions, "How often a state came back on its own path.")
        .def_prop_ro("too_deep", &ProofKernel::too_deep, "Whether the last search ended for want of stack.")
        .def_prop_ro("sum", &ProofKernel::sum, "What all roles get together at every end seen; None: it varies.");
}

}  // namespace ludorum
