-- The event `run_resumed` carries the whole resume contract, which its step has on record. One whose step is gone has none to carry.
DELETE FROM events WHERE event = 'run_resumed'
  AND NOT EXISTS (SELECT 1 FROM agent_run_steps s WHERE s.run = events.run AND s.seq = events.seq);
UPDATE events SET data = (
  SELECT json_object('resume_contract', json(json_extract(s.body, '$.resume_contract')))
  FROM agent_run_steps s WHERE s.run = events.run AND s.seq = events.seq
)
WHERE event = 'run_resumed';
