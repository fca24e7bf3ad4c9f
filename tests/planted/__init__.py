"""The same faults, planted in a stack of each cloud: one module a cloud, one function a fault."""
