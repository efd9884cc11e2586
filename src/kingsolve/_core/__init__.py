"""The compiled core: integers and contract_t, nothing else. Its public face is kingsolve.solver."""
