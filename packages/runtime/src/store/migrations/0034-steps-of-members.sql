-- The members that a run started, without reading all its steps: teams of other devices are known from these steps alone.
CREATE INDEX agent_run_steps_of_members ON agent_run_steps (run, seq) WHERE kind = 'child.started';
