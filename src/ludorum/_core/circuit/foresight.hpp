// Playouts that look two moves ahead: a role wins at once where it can, and else leaves no win at once to another.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "circuit/gate_pool.hpp"
#include "circuit/network.hpp"
#include "circuit/specialise.hpp"

namespace ludorum {

// The gates of a network and more: those that say which moves are worth playing.
//
// Whether a move wins at once is a circuit over the fluents: that of the goal in the next state, with the move put
// in. Much is known where the move is made, so that little of it is left: the game goes on, so no line is full yet;
// the move is legal, so it is its role's turn. Whether a move lets another role win is the same circuit, put in twice.
class Foresight {
  public:
    struct TooLarge : std::runtime_error {
        TooLarge() : std::runtime_error("there is too much to be foreseen") {}
    };

    // A network without loops; throws TooLarge when the gates have more literals than that. `flat`: small gates
    // are written out where they are used, so that known values of the larger ones help.
    Foresight(const Network &network, std::size_t most_literals, bool flat = false);

    // The literal of each move that says whether it is worth playing: one that wins, else one that lets no role win,
    // else any that is legal. Empty where nothing can be foreseen; throws TooLarge.
    std::vector<Literal> moves_worth_playing();

    // What a search for proofs has to look at, in a game of two roles. A role wins if the game ends with its highest
    // goal and the lowest of the other. `legal`: moves that win at once; where no role can win, moves that neither
    // lose at once nor let the other win at once; none where play is over. `over`: play is over, or a role wins.
    // Every move that is missing is proved to be worse in any state, also in games in which both roles choose at
    // once. Empty where nothing can be foreseen; throws TooLarge.
    struct Outlook {
        std::vector<Literal> legal;
        Literal over = 0;
    };
    Outlook outlook();

    const GatePool &pool() const { return pool_; }
    // The literal of the pool that a literal of the network has become.
    Literal image(Literal literal) const { return image_[literal >> 1] ^ (literal & 1); }

  private:
    static constexpr Literal NOTHING = UINT32_MAX;

    // A literal of the next state that is asked for.
    struct Target {
        Literal literal;
        std::vector<std::uint32_t> nodes, fluents;  // what it depends on
        std::vector<std::uint32_t> before;          // what these fluents depend on in the state before
    };

    std::uint32_t nodes() const { return network_.first_gate() + pool_.gates(); }
    bool is_gate(Literal literal) const { return literal >> 1 >= network_.first_gate(); }
    bool is_move(std::uint32_t node) const { return node >= network_.fluents && node < network_.true_node(); }
    const Literal *begin(Literal gate) const { return pool_.literals.data() + pool_.offsets[(gate >> 1) - network_.first_gate()]; }
    const Literal *end(Literal gate) const { return pool_.literals.data() + pool_.offsets[(gate >> 1) - network_.first_gate() + 1]; }

    // Counts the work; throws TooLarge beyond the limit.
    void count(std::size_t looked_at) const;
    Literal all_of(std::vector<Literal> literals);
    Literal any_of(std::vector<Literal> literals);
    bool absorb(std::vector<Literal> &literals);
    Literal best_end(std::uint32_t role);
    // For so many moves.
    Target aim(Literal literal, std::uint32_t moves);
    std::vector<std::uint32_t> cone(const std::vector<Literal> &literals) const;

    // The known literals of the state in which a move is made.
    void assume(Literal literal);
    void assume_move(std::uint32_t move);
    void assume_turn();
    void forget(std::size_t facts);
    Literal known(Literal literal) const;

    // The target after a move in terms of the state before; NOTHING where it depends on what others do.
    Literal after(const Target &target, std::uint32_t role, std::uint32_t move);
    void put_moves(std::uint32_t role, std::uint32_t move);
    void put_together(const std::vector<std::uint32_t> &nodes, std::vector<Literal> &meaning);
    void drop_the_known(Literal gate);
    bool depends_on_moves(Literal literal);
    Literal without_rarities(Literal win);

    // The only move that another role surely has, else the end of its moves.
    std::uint32_t sure_move(std::uint32_t role) const;
    Literal nobody_else_chooses(std::uint32_t role, std::uint32_t move);
    Literal only_goal(std::uint32_t role, bool highest);
    Literal loses(std::uint32_t role, std::uint32_t move, const Target &loss, const Target &ends, const Target &danger);
    void find_modes();

    void find_wins();
    void find_worth(std::uint32_t role);

    const Network &network_;
    std::size_t most_literals_, work_ = 0;
    mutable std::size_t looked_at_ = 0;
    bool flat_;
    GatePool pool_;
    Cycle turns_;
    std::vector<Literal> image_, legal_, next_;
    Literal terminal_;
    std::vector<Literal> wins_, can_win_, worth_;
    std::vector<std::int8_t> facts_;       // by node
    std::vector<std::uint32_t> assumed_;   // nodes with facts, in the order in which they came
    std::size_t always_ = 0;               // so many of them hold in every state in which a role moves
    std::vector<Literal> before_, after_;  // the meaning of a node in terms of the state before
    std::vector<char> unchanged_;          // by node: it depends on no move, and on nothing that a move changes
    std::vector<char> open_;               // by node: it depends on moves
    std::vector<std::uint32_t> marks_;     // by literal
    std::uint32_t mark_ = 0;
    std::vector<Literal> inputs_;
};

}  // namespace ludorum
