"""A user's file, for type checkers: every line that ends with `# wrong` is a type error under mypy --strict, and no other is."""

import numpy as np

import shuffleproof as sp

survey = sp.shuffled(sp.KRR(k=np.int64(10), epsilon0=np.float64(1.0)), n=np.int32(10_000))
bracket: sp.Bracket = survey.epsilon(delta="1e-6")
bound: sp.Bound = survey.epsilon(delta=1e-6, method="k-rr-blanket", engine="ball", digits=30)
many: sp.Answers[sp.Bracket] = survey.delta(epsilon=[0.01, 0.02])
named: sp.Answers[sp.Bound] = survey.delta(epsilon=np.linspace(0.01, 0.1, 3), method="clones")
upper: float = bracket.guarantee + bound.at_most + many[0].guarantee
rounds: sp.Bracket = survey.rounds(np.int64(52)).epsilon(delta="1e-6")
noise = sp.calibrate.zero_sum(n=1000, epsilon=1, delta="1e-6").value
sp.advise(task="bit-sum", n=1000, epsilon=1, delta="1e-6")
sp.compare(n=1000, epsilon0=1, delta="1e-6").bracket.as_json()
standing: str = sp.audit.distribution([[0.75, 0.25], [0.25, 0.75]], epsilon0="ln 3").standing
code: int = sp.conformance.run("cmd:./harness", suite="smoke").exit_code

survey.epsilon(delta="1e-6", engine="bal")  # wrong
survey.epsilon(delta="1e-6", method="clone")  # wrong
sp.KRR(k=10)  # wrong
sp.shuffled("krr", n=10)  # wrong
sp.RealSum(n=10, lam=1, r=1, view="tag")  # wrong
sp.advise(task="bits", n=1000, epsilon=1, delta="1e-6")  # wrong
wide: float = survey.epsilon(delta="1e-6")  # wrong
survey.epsilon(delta=None)  # wrong
