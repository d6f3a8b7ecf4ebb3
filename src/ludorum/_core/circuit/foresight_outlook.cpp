// What a search for proofs can know of a state at first sight: the role that wins at once, and moves that lose at once.

#include <algorithm>

#include "circuit/foresight.hpp"

namespace ludorum {

Foresight::Outlook Foresight::outlook() {
    if (network_.roles() != 2) return {};
    assume(terminal_ ^ 1);
    always_ = assumed_.size();
    find_modes();
    const Literal won[2] = {all_of({terminal_, only_goal(0, true), only_goal(1, false)}),
                            all_of({terminal_, only_goal(1, true), only_goal(0, false)})};
    std::vector<Literal> alone(network_.moves, pool_.no());
    wins_.assign(network_.moves, pool_.no());
    for (std::uint32_t role = 0; role < 2; ++role) {
        const std::uint32_t first = network_.role_begin(role), last = network_.role_ends[role];
        const Target win = aim(won[role], last - first);
        for (std::uint32_t move = first; move < last; ++move) {
            alone[move] = nobody_else_chooses(role, move);
            const Literal found = after(win, role, move);
            if (found != NOTHING) wins_[move] = all_of({without_rarities(found), legal_[move], alone[move]});
        }
        can_win_.push_back(any_of({wins_.begin() + first, wins_.begin() + last}));
    }
    if (can_win_[0] == pool_.no() && can_win_[1] == pool_.no()) return {};

    std::vector<Literal> ends{terminal_};
    std::vector<Literal> lost(network_.moves, pool_.no());
    for (std::uint32_t role = 0; role < 2; ++role) {
        const std::uint32_t first = network_.role_begin(role), last = network_.role_ends[role];
        std::vector<Literal> illegal;
        for (std::uint32_t move = first; move < last; ++move) illegal.push_back(legal_[move] ^ 1);
        ends.push_back(all_of(illegal));
        const Target loss = aim(won[1 - role], last - first), end = aim(terminal_, last - first),
                     danger = aim(can_win_[1 - role], last - first);
        for (std::uint32_t move = first; move < last; ++move)
            lost[move] = all_of({legal_[move], alone[move], loses(role, move, loss, end, danger)});
    }
    const Literal over = any_of(ends), nobody_wins = all_of({can_win_[0] ^ 1, can_win_[1] ^ 1});
    Outlook found;
    for (std::uint32_t move = 0; move < network_.moves; ++move)
        found.legal.push_back(
            all_of({over ^ 1, any_of({wins_[move], all_of({nobody_wins, legal_[move], lost[move] ^ 1})})}));
    found.over = any_of({over, can_win_[0], can_win_[1]});
    return found;
}

// A move that ends the game badly, or one after which play goes on and the other can win. Literals that
// cannot be foreseen are left out.
Literal Foresight::loses(std::uint32_t role, std::uint32_t move, const Target &loss, const Target &ends,
                         const Target &danger) {
    std::vector<Literal> ways;
    if (const Literal bad_end = after(loss, role, move); bad_end != NOTHING) ways.push_back(bad_end);
    const Literal over = after(ends, role, move), lets_win = after(danger, role, move);
    if (over != NOTHING && lets_win != NOTHING) ways.push_back(all_of({over ^ 1, lets_win}));
    return any_of(ways);
}

// In games with turns this follows from the turn, and costs no gates.
Literal Foresight::nobody_else_chooses(std::uint32_t role, std::uint32_t move) {
    assume_move(move);
    before_.resize(nodes());
    put_moves(role, move);
    std::vector<Literal> others;
    for (std::uint32_t other = 0; other < network_.roles(); ++other) {
        if (other == role) continue;
        const std::uint32_t made = sure_move(other);
        for (std::uint32_t at = network_.role_begin(other); at < network_.role_ends[other]; ++at)
            if (at != made) others.push_back(legal_[at]);
    }
    const std::vector<std::uint32_t> behind = cone(others);
    work_ += behind.size();
    put_together(behind, before_);
    for (Literal &literal : others) literal = before_[literal >> 1] ^ (literal & 1) ^ 1;
    return all_of(others);
}

// A role's highest or lowest goal holds, and none besides.
Literal Foresight::only_goal(std::uint32_t role, bool highest) {
    std::size_t chosen = network_.goals.size();
    for (std::size_t goal = 0; goal < network_.goals.size(); ++goal) {
        if (network_.goal_roles[goal] != role) continue;
        const std::int32_t value = network_.goal_values[goal];
        if (value < 0 || value > 100) return pool_.no();
        if (chosen == network_.goals.size() ||
            (highest ? value > network_.goal_values[chosen] : value < network_.goal_values[chosen]))
            chosen = goal;
    }
    std::vector<Literal> all;
    for (std::size_t goal = 0; goal < network_.goals.size(); ++goal)
        if (network_.goal_roles[goal] == role) all.push_back(image(network_.goals[goal]) ^ (goal == chosen ? 0 : 1));
    return all.empty() ? pool_.no() : all_of(all);
}

}  // namespace ludorum
