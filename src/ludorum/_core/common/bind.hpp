// What each kernel file adds to the module; kernels.cpp calls these one after the other.
#pragma once

#include <nanobind/nanobind.h>

namespace ludorum {

void bind_atom_reader(nanobind::module_ &m);
void bind_rule_collector(nanobind::module_ &m);
void bind_optimise(nanobind::module_ &m);
void bind_datalog(nanobind::module_ &m);
void bind_network(nanobind::module_ &m);
void bind_lanes(nanobind::module_ &m);
void bind_machine_code(nanobind::module_ &m);
void bind_single(nanobind::module_ &m);
void bind_mcts(nanobind::module_ &m);
void bind_row_index(nanobind::module_ &m);
void bind_evaluation(nanobind::module_ &m);
void bind_alphabeta(nanobind::module_ &m);
void bind_proof(nanobind::module_ &m);
void bind_nested_rollouts(nanobind::module_ &m);
void bind_equilibrium(nanobind::module_ &m);
void bind_information(nanobind::module_ &m);
void bind_cards(nanobind::module_ &m);
void bind_card_judge(nanobind::module_ &m);
void bind_card_chain(nanobind::module_ &m);

}  // namespace ludorum
