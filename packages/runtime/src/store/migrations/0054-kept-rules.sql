-- The rules that keeping a policy candidate added, as JSON: [{"tool", "rule"}]. Others of its rules were the user's before. Null if it was not
-- kept, or was kept before this was recorded.
ALTER TABLE runtime_policy_candidates ADD COLUMN kept_rules TEXT;
