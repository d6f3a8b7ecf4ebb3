// Circuits of the next state, composed with the known literals of this one.

#include "circuit/foresight.hpp"

#include <algorithm>

#include "circuit/turns.hpp"

namespace ludorum {

namespace {

constexpr std::size_t MOST_WORK = 4'000'000;  // gate inputs that are read: less than a tenth of a second
// Everything that is read for each move, gates or not: less than half a second. This alone bounds work that is
// quadratic in the moves, such as the replies of the other role to each move.
constexpr std::size_t MOST_LOOKED_AT = 50'000'000;
constexpr std::ptrdiff_t SMALL = 6;  // literals
constexpr std::size_t RARE = 24;  // a win that needs so many literals at once is left out

}  // namespace

Foresight::Foresight(const Network &network, std::size_t most_literals, bool flat)
    : network_(network), most_literals_(most_literals), flat_(flat), pool_(network.first_gate()) {
    image_.resize(network.nodes());
    for (std::uint32_t node = 0; node < network.first_gate(); ++node) image_[node] = 2 * node;
    for (std::uint32_t gate = 0; gate < network.gates(); ++gate) {
        inputs_.clear();
        for (std::uint32_t at = network.gate_offsets[gate]; at < network.gate_offsets[gate + 1]; ++at) {
            const Literal input = image(network.gate_literals[at]);
            if (flat && is_gate(input) && !(input & 1) && end(input) - begin(input) <= SMALL)
                inputs_.insert(inputs_.end(), begin(input), end(input));
            else
                inputs_.push_back(input);
        }
        image_[network.first_gate() + gate] = pool_.add(inputs_);
    }
    for (Literal literal : network.legal) legal_.push_back(image(literal));
    for (Literal literal : network.next) next_.push_back(image(literal));
    terminal_ = image(network.terminal);
}

std::vector<Literal> Foresight::moves_worth_playing() {
    assume(terminal_ ^ 1);
    always_ = assumed_.size();
    find_wins();
    const auto nobody = [&](Literal literal) { return literal == pool_.no(); };
    if (std::all_of(can_win_.begin(), can_win_.end(), nobody)) return {};
    worth_ = legal_;
    for (std::uint32_t role = 0; role < network_.roles(); ++role) find_worth(role);
    return worth_;
}

void Foresight::find_modes() {
    turns_ = find_cycle(network_);
    if (!turns_.length()) turns_ = find_turns(network_);
}

void Foresight::find_wins() {
    std::vector<Target> ends;
    for (std::uint32_t role = 0; role < network_.roles(); ++role)
        ends.push_back(aim(best_end(role), network_.role_ends[role] - network_.role_begin(role)));
    find_modes();
    wins_.assign(network_.moves, pool_.no());
    for (std::uint32_t role = 0; role < network_.roles(); ++role) {
        std::vector<Literal> own;
        for (std::uint32_t move = network_.role_begin(role); move < network_.role_ends[role]; ++move) {
            const Literal win = after(ends[role], role, move);
            if (win != NOTHING) wins_[move] = all_of({without_rarities(win), legal_[move]});
            own.push_back(wins_[move]);
        }
        can_win_.push_back(any_of(own));
    }
}

void Foresight::find_worth(std::uint32_t role) {
    std::vector<Literal> others, all_safe;
    for (std::uint32_t other = 0; other < network_.roles(); ++other)
        if (other != role) others.push_back(can_win_[other]);
    const std::uint32_t first = network_.role_begin(role), last = network_.role_ends[role];
    const Target danger = aim(any_of(others), last - first);
    for (std::uint32_t move = first; move < last; ++move) {
        const Literal lets_win = after(danger, role, move);
        all_safe.push_back(lets_win == NOTHING ? legal_[move] : all_of({legal_[move], lets_win ^ 1}));
    }
    const Literal no_win = can_win_[role] ^ 1, no_safe = any_of(all_safe) ^ 1;
    for (std::uint32_t move = first; move < last; ++move)
        worth_[move] = any_of({wins_[move], all_of({no_win, all_safe[move - first]}),
                               all_of({no_win, no_safe, legal_[move]})});
}

// An end with the highest goal of a role, above 0, and no other of its goals: several values at once count as 0. The
// literals of the other goals are mostly known where a move is made, and cost no gates.
Literal Foresight::best_end(std::uint32_t role) {
    std::int32_t highest = 0;
    for (std::size_t goal = 0; goal < network_.goals.size(); ++goal)
        if (network_.goal_roles[goal] == role) highest = std::max(highest, network_.goal_values[goal]);
    std::vector<Literal> ways, all{terminal_};
    for (std::size_t goal = 0; goal < network_.goals.size(); ++goal) {
        if (network_.goal_roles[goal] != role) continue;
        if (network_.goal_values[goal] == highest && highest > 0)
            ways.push_back(image(network_.goals[goal]));
        else
            all.push_back(image(network_.goals[goal]) ^ 1);
    }
    all.push_back(any_of(ways));
    return all_of(all);
}

Foresight::Target Foresight::aim(Literal literal, std::uint32_t moves) {
    Target target{literal, cone({literal}), {}, {}};
    std::vector<Literal> made;
    for (std::uint32_t node : target.nodes) {
        if (node >= network_.fluents) continue;
        target.fluents.push_back(node);
        made.push_back(next_[node]);
    }
    target.before = cone(made);
    for (const auto *part : {&target.nodes, &target.before})
        for (std::uint32_t node : *part)
            if (is_gate(2 * node)) work_ += moves * static_cast<std::size_t>(end(2 * node) - begin(2 * node));
    if (work_ > MOST_WORK) throw TooLarge();
    return target;
}

void Foresight::count(std::size_t looked_at) const {
    looked_at_ += looked_at;
    if (looked_at_ > MOST_LOOKED_AT) throw TooLarge();
}

std::vector<std::uint32_t> Foresight::cone(const std::vector<Literal> &literals) const {
    count(nodes() + literals.size());
    std::vector<char> seen(nodes());
    std::vector<Literal> left = literals;
    std::vector<std::uint32_t> found;
    while (!left.empty()) {
        const Literal literal = left.back();
        left.pop_back();
        if (seen[literal >> 1]) continue;
        found.push_back(literal >> 1);
        if (is_gate(literal)) {
            left.insert(left.end(), begin(literal), end(literal));
            count(static_cast<std::size_t>(end(literal) - begin(literal)));
        }
        seen[literal >> 1] = 1;
    }
    std::sort(found.begin(), found.end());
    return found;
}

// -- what is known --------------------------------------------------------------------------------------------

void Foresight::assume(Literal literal) {
    facts_.resize(nodes(), UNKNOWN);
    std::vector<Literal> left{literal};
    while (!left.empty()) {
        const Literal fact = left.back();
        left.pop_back();
        if (fact >> 1 == network_.true_node() || facts_[fact >> 1] != UNKNOWN) continue;
        facts_[fact >> 1] = !(fact & 1);
        assumed_.push_back(fact >> 1);
        if (is_gate(fact) && !(fact & 1)) left.insert(left.end(), begin(fact), end(fact));
    }
}

void Foresight::forget(std::size_t facts) {
    for (; assumed_.size() > facts; assumed_.pop_back()) facts_[assumed_.back()] = UNKNOWN;
}

void Foresight::assume_move(std::uint32_t move) {
    forget(always_);
    assume(legal_[move]);
    assume_turn();
}

// Assumes the values that are the same in all modes in which the move may be legal.
void Foresight::assume_turn() {
    count(turns_.values.size() * turns_.fluents.size());
    std::vector<const std::vector<std::int8_t> *> modes;
    for (const auto &values : turns_.values)
        if (std::all_of(turns_.fluents.begin(), turns_.fluents.end(), [&](std::uint32_t fluent) {
                return facts_[fluent] == UNKNOWN || facts_[fluent] == values[fluent];
            }))
            modes.push_back(&values);
    if (modes.empty()) return;
    for (std::uint32_t fluent : turns_.fluents) {
        const std::int8_t value = modes[0]->at(fluent);
        if (std::all_of(modes.begin(), modes.end(), [&](const auto *values) { return values->at(fluent) == value; }))
            assume(2 * fluent + !value);
    }
}

Literal Foresight::known(Literal literal) const {
    const std::uint32_t node = literal >> 1;
    if (node >= facts_.size() || facts_[node] == UNKNOWN) return literal;
    return (facts_[node] ? pool_.yes() : pool_.no()) ^ (literal & 1);
}

// -- the state after a move -----------------------------------------------------------------------------------

Literal Foresight::after(const Target &target, std::uint32_t role, std::uint32_t move) {
    if (target.literal >> 1 == network_.true_node()) return target.literal;
    assume_move(move);
    before_.resize(nodes());
    put_moves(role, move);
    put_together(target.before, before_);
    after_.resize(nodes());
    for (std::uint32_t fluent : target.fluents) {
        after_[fluent] = before_[next_[fluent] >> 1] ^ (next_[fluent] & 1);
        unchanged_[fluent] = after_[fluent] == known(2 * fluent);
    }
    put_together(target.nodes, after_);
    const Literal found = after_[target.literal >> 1] ^ (target.literal & 1);
    return depends_on_moves(found) ? NOTHING : found;
}

std::uint32_t Foresight::sure_move(std::uint32_t role) const {
    const std::uint32_t last = network_.role_ends[role];
    const auto is_sure = [&](std::uint32_t at) { return known(legal_[at]) == pool_.yes(); };
    std::uint32_t made = network_.role_begin(role);
    while (made < last && !is_sure(made)) ++made;
    for (std::uint32_t at = made + 1; at < last; ++at)
        if (is_sure(at)) return last;
    return made;
}

// Puts in the state and the moves that are made in it. In games in which one role chooses at a time, another role with
// a move that is surely legal has no other move; one with two such moves makes one that is not known.
void Foresight::put_moves(std::uint32_t role, std::uint32_t move) {
    count(network_.fluents + 2 * network_.moves);
    unchanged_.assign(nodes(), 0);
    for (std::uint32_t fluent = 0; fluent < network_.fluents; ++fluent) {
        before_[fluent] = known(2 * fluent);
        unchanged_[fluent] = 1;
    }
    for (std::uint32_t other = 0; other < network_.roles(); ++other) {
        const std::uint32_t first = network_.role_begin(other), last = network_.role_ends[other];
        const std::uint32_t made = other == role ? move : sure_move(other);
        for (std::uint32_t at = first; at < last; ++at) {
            const std::uint32_t node = network_.fluents + at;
            before_[node] = made == last ? 2 * node : at == made ? pool_.yes() : pool_.no();
        }
    }
}

// The meaning of gates when their inputs mean something else. A gate without any change keeps its known value: that no
// line is full still holds, though another literal of the half-full lines is known by now.
void Foresight::put_together(const std::vector<std::uint32_t> &nodes, std::vector<Literal> &meaning) {
    for (std::uint32_t node : nodes) {
        const Literal literal = 2 * node;
        if (node == network_.true_node()) meaning[node] = literal;
        if (!is_gate(literal)) continue;
        inputs_.clear();
        count(static_cast<std::size_t>(end(literal) - begin(literal)));
        bool same = true, unchanged = true;
        for (const Literal *input = begin(literal); input != end(literal); ++input) {
            inputs_.push_back(meaning[*input >> 1] ^ (*input & 1));
            same &= inputs_.back() == *input;
            unchanged &= unchanged_[*input >> 1];
        }
        unchanged_[node] = unchanged;
        const bool settled = unchanged && known(literal) != literal;
        if (flat_ && !same && !settled) drop_the_known(literal);
        meaning[node] = known(same || settled ? literal : all_of(inputs_));
    }
}

// For a gate that does not hold before the move, with one input that has become "as before, or something else": it can
// hold by something else only. A line that is not full yet becomes full when its last square is taken now.
void Foresight::drop_the_known(Literal gate) {
    if (known(gate) != pool_.no()) return;
    std::size_t changed = inputs_.size();
    for (std::size_t at = 0; at < inputs_.size(); ++at) {
        if (inputs_[at] == begin(gate)[at]) continue;
        if (changed != inputs_.size()) return;
        changed = at;
    }
    const Literal before = begin(gate)[changed], now = inputs_[changed];
    if (!is_gate(now) || !(now & 1)) return;
    std::vector<Literal> otherwise;
    bool as_before = false;
    for (const Literal *way = begin(now); way != end(now); ++way) {
        as_before |= *way == (before ^ 1);
        if (*way != (before ^ 1)) otherwise.push_back(*way ^ 1);
    }
    if (!as_before) return;
    // All the other inputs as one gate, which all ways to make the last one true share.
    std::vector<Literal> others = inputs_;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(changed));
    const Literal rest = all_of(others);
    inputs_ = {rest, any_of(otherwise)};
}

bool Foresight::depends_on_moves(Literal literal) {
    for (std::uint32_t node = static_cast<std::uint32_t>(open_.size()); node < nodes(); ++node) {
        const Literal gate = 2 * node;
        open_.push_back(is_gate(gate) ? std::any_of(begin(gate), end(gate), [&](Literal input) { return open_[input >> 1] != 0; })
                                      : is_move(node));
    }
    return open_[literal >> 1];
}

// Ways to win that need many literals at once cost more than they tell: the last of sixteen pieces is seldom taken.
Literal Foresight::without_rarities(Literal win) {
    const auto is_rare = [&](Literal way) { return is_gate(way) && !(way & 1) && end(way) - begin(way) > static_cast<std::ptrdiff_t>(RARE); };
    if (!is_gate(win)) return win;
    if (!(win & 1)) return is_rare(win) ? pool_.no() : win;
    std::vector<Literal> ways;
    for (const Literal *input = begin(win); input != end(win); ++input)
        if (!is_rare(*input ^ 1)) ways.push_back(*input ^ 1);
    return any_of(ways);
}

// -- gates ----------------------------------------------------------------------------------------------------

Literal Foresight::all_of(std::vector<Literal> literals) {
    if (!absorb(literals)) return pool_.no();
    const Literal made = pool_.add(literals);
    if (pool_.literals.size() > most_literals_ || work_ > MOST_WORK) throw TooLarge();
    return made;
}

Literal Foresight::any_of(std::vector<Literal> literals) {
    for (Literal &literal : literals) literal ^= 1;
    return all_of(std::move(literals)) ^ 1;
}

// Leaves out what the other literals say already; false where they contradict it.
bool Foresight::absorb(std::vector<Literal> &literals) {
    marks_.resize(2 * static_cast<std::size_t>(nodes()));
    count(literals.size());
    ++mark_;
    for (Literal literal : literals) marks_[literal] = mark_;
    std::size_t kept = 0;
    for (Literal literal : literals) {
        if ((literal & 1) && is_gate(literal)) {
            const auto inputs = static_cast<std::size_t>(end(literal) - begin(literal));
            work_ += inputs;
            count(inputs);
            const auto fails = [&](Literal input) { return marks_[input ^ 1] == mark_; };
            const auto holds = [&](Literal input) { return marks_[input] == mark_; };
            if (std::any_of(begin(literal), end(literal), fails)) continue;
            if (std::all_of(begin(literal), end(literal), holds)) return false;
        }
        literals[kept++] = literal;
    }
    literals.resize(kept);
    return true;
}

}  // namespace ludorum
