// Sets of stored facts with indexes by any parts of their terms, nested ones included.
#pragma once

#include <memory>
#include <vector>

#include "datalog/tables.hpp"

namespace ludorum::datalog {

// How to take a term apart: node 0 is the term, node n > 0 is argument `which` of node `parent`. A node with
// `functor` >= 0 must be made by that functor. Parents come before their parts.
struct Node {
    int parent, which;
    Id functor;
    bool operator==(const Node &) const = default;
};

struct Shape {
    std::vector<Node> nodes;
    std::vector<int> key;  // the nodes whose values a lookup gives
    bool operator==(const Shape &) const = default;

    // The key values of a term; false if the term has another shape.
    bool take_apart(const TermTable &terms, Id term, std::vector<Id> &values, Id *out) const {
        values.resize(nodes.size());
        for (std::size_t n = 0; n < nodes.size(); ++n) {
            const Node &node = nodes[n];
            const Id value = n == 0 ? term : terms.arg(values[node.parent], node.which);
            if (node.functor >= 0 && terms.functor(value) != node.functor) return false;
            values[n] = value;
        }
        for (std::size_t k = 0; k < key.size(); ++k) out[k] = values[key[k]];
        return true;
    }
};

// A set of terms; `version` changes whenever the set does, which makes indexes stale.
struct FactSet {
    std::vector<Id> members;
    std::vector<std::vector<Id>> by_functor;  // the members again, so that an index looks only at its own
    std::vector<Id> functors;                 // those with members
    std::uint64_t version = 1;
    double expected_states = 1;  // `sample` is the union of so many typical sets
    std::vector<Id> sample;      // for estimates only; members where empty

    void clear() {
        members.clear();
        for (Id functor : functors) by_functor[functor].clear();
        functors.clear();
        ++version;
    }

    void add(const TermTable &terms, Id term) {
        members.push_back(term);
        const Id functor = terms.functor(term);
        if (static_cast<std::size_t>(functor) >= by_functor.size()) by_functor.resize(functor + 1);
        if (by_functor[functor].empty()) functors.push_back(functor);
        by_functor[functor].push_back(term);
    }
};

// Members of a set grouped by the values of some of their parts. Which group a term belongs to never changes
// and is remembered for good; a new state only links its members into their groups.
class Index {
  public:
    Index(const FactSet &set, Shape shape)
        : set_(&set), shape_(std::move(shape)), keys_(static_cast<int>(shape_.key.size())) {
        key_.resize(shape_.key.size() + 1);
    }

    const FactSet &set() const { return *set_; }
    const Shape &shape() const { return shape_; }

    // The first member with that key, -1 if there is none; `next` gives the others.
    int first(const TermTable &terms, const Id *key) {
        if (built_ != set_->version) build(terms);
        const int group = keys_.find(key);
        return group < 0 || heads_[group].stamp != stamp_ ? -1 : heads_[group].first;
    }
    int next(int at) const { return links_[at].next; }
    std::size_t bytes() const {
        return keys_.bytes() + group_of_.capacity() * sizeof(int) + heads_.capacity() * sizeof(Head) +
               links_.capacity() * sizeof(Link);
    }
    Id term(int at) const { return links_[at].term; }

  private:
    struct Head {
        std::uint64_t stamp;
        int first;
    };
    struct Link {
        Id term;
        int next;
    };

    void build(const TermTable &terms) {
        built_ = set_->version;
        ++stamp_;
        links_.clear();
        const Id functor = shape_.nodes[0].functor;
        if (functor < 0) {
            for (Id term : set_->members) add(terms, term);
        } else if (static_cast<std::size_t>(functor) < set_->by_functor.size()) {
            for (Id term : set_->by_functor[functor]) add(terms, term);
        }
    }

    void add(const TermTable &terms, Id term) {
        if (static_cast<std::size_t>(term) >= group_of_.size()) group_of_.resize(term + term / 2 + 16, UNKNOWN);
        int group = group_of_[term];
        if (group == UNKNOWN) group = group_of_[term] = find_group(terms, term);
        if (group < 0) return;
        Head &head = heads_[group];
        links_.push_back({term, head.stamp == stamp_ ? head.first : -1});
        head = {stamp_, static_cast<int>(links_.size()) - 1};
    }

    int find_group(const TermTable &terms, Id term) {
        if (!shape_.take_apart(terms, term, values_, key_.data())) return NONE;
        const auto [group, fresh] = keys_.insert(key_.data());
        if (fresh) heads_.push_back({0, -1});
        return group;
    }

    static constexpr int UNKNOWN = -2, NONE = -1;
    const FactSet *set_;
    Shape shape_;
    KeyTable keys_;
    std::uint64_t built_ = 0, stamp_ = 0;
    std::vector<int> group_of_;
    std::vector<Head> heads_;
    std::vector<Link> links_;
    std::vector<Id> values_, key_;
};

}  // namespace ludorum::datalog
