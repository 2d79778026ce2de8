"""float64 with a stated side. Refuses where it cannot guarantee one."""
