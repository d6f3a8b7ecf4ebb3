// Symmetries of a game: what is known of a state is known of its mirror images.
#pragma once

#include <cstdint>
#include <vector>

namespace ludorum {

// Renamings of fluents and moves that leave the rules as they are. Of all images of a state, the least stands for
// all of them in a table. Images are put together from those of four bits at a time: tables that stay in the cache.
class StateSymmetries {
  public:
    StateSymmetries(std::uint32_t fluents, std::uint32_t moves)
        : words_((fluents + 63) / 64), nibbles_((fluents + 3) / 4), fluents_(fluents), moves_(moves), image_(words_) {}

    bool empty() const { return renamings_.empty(); }

    // `fluents` and `moves` say what becomes of each; the identity need not be given.
    void add(const std::vector<std::uint32_t> &fluents, const std::vector<std::uint32_t> &moves) {
        Renaming made{std::vector<std::uint64_t>(nibbles_ * 16 * words_, 0), moves, moves};
        for (std::uint32_t fluent = 0; fluent < fluents_; ++fluent)
            for (std::uint32_t held = 0; held < 16; ++held)
                if (held >> (fluent & 3) & 1)
                    made.images[((fluent / 4) * 16 + held) * words_ + fluents[fluent] / 64] |= 1ull << (fluents[fluent] & 63);
        for (std::uint32_t move = 0; move < moves_; ++move) made.back[moves[move]] = move;
        renamings_.push_back(std::move(made));
    }

    // Writes the least image, and says which renaming leads to it; 0: the state itself.
    std::uint32_t least(const std::uint64_t *state, std::uint64_t *found) {
        for (std::size_t word = 0; word < words_; ++word) found[word] = state[word];
        std::uint32_t chosen = 0;
        for (std::size_t number = 0; number < renamings_.size(); ++number) {
            rename(renamings_[number], state);
            for (std::size_t word = words_; word-- > 0;) {
                if (image_[word] == found[word]) continue;
                if (image_[word] < found[word]) {
                    for (std::size_t each = 0; each < words_; ++each) found[each] = image_[each];
                    chosen = static_cast<std::uint32_t>(number) + 1;
                }
                break;
            }
        }
        return chosen;
    }

    std::uint32_t move_there(std::uint32_t renaming, std::uint32_t move) const {
        return renaming ? renamings_[renaming - 1].moves[move] : move;
    }
    std::uint32_t move_back(std::uint32_t renaming, std::uint32_t move) const {
        return renaming ? renamings_[renaming - 1].back[move] : move;
    }

  private:
    struct Renaming {
        std::vector<std::uint64_t> images;  // of each value of each four bits
        std::vector<std::uint32_t> moves, back;
    };

    void rename(const Renaming &renaming, const std::uint64_t *state) {
        for (std::uint64_t &word : image_) word = 0;
        const std::uint64_t *images = renaming.images.data();
        for (std::size_t nibble = 0; nibble < nibbles_; ++nibble, images += 16 * words_) {
            const std::size_t held = state[nibble / 16] >> (4 * (nibble & 15)) & 15;
            for (std::size_t word = 0; word < words_; ++word) image_[word] |= images[held * words_ + word];
        }
    }

    std::size_t words_, nibbles_;
    std::uint32_t fluents_, moves_;
    std::vector<std::uint64_t> image_;
    std::vector<Renaming> renamings_;
};

}  // namespace ludorum
