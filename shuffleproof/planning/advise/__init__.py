"""Which protocol for a task: every one that is here, calibrated to the same target, with its certified error and what it costs to send."""
