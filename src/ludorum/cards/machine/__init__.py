"""The readable machine: it walks through a chart node by node, and is the oracle of the compiled one."""
