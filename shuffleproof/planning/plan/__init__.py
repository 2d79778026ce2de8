"""A deployment's plan: rounds, questions, who takes part, what must hold in the end; read from TOML, answered by certified brackets."""
