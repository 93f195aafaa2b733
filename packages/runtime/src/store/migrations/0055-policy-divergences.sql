-- Every recorded call that a policy candidate would have decided differently, by its test. A validation had the first 200 of them as JSON.
CREATE TABLE runtime_policy_candidate_divergences (
  validation_id TEXT NOT NULL REFERENCES runtime_policy_candidate_validations (id),
  -- What failed the candidate comes first.
  no INTEGER NOT NULL,
  run_id TEXT NOT NULL,
  call_id TEXT NOT NULL,
  tool TEXT NOT NULL,
  decided TEXT NOT NULL,
  would_decide TEXT NOT NULL,
  PRIMARY KEY (validation_id, no)
) WITHOUT ROWID;
INSERT INTO runtime_policy_candidate_divergences (validation_id, no, run_id, call_id, tool, decided, would_decide)
  SELECT validation.id, one.key + 1, one.value ->> 'run_id', one.value ->> 'call_id', one.value ->> 'tool', one.value ->> 'decided',
    one.value ->> 'would_decide'
  FROM runtime_policy_candidate_validations AS validation, json_each(validation.divergences) AS one;
ALTER TABLE runtime_policy_candidate_validations ADD COLUMN divergence_count INTEGER NOT NULL DEFAULT 0;
UPDATE runtime_policy_candidate_validations SET divergence_count = json_array_length(divergences);
ALTER TABLE runtime_policy_candidate_validations DROP COLUMN divergences;
