-- Runs beside servers of schema 0003 or later.
-- What retention looks for, by time: hourly it reads what has become old, not every user. On a large table, create these indexes with
-- CONCURRENTLY before the upgrade; this then finds them.

create index if not exists sync_entities_old_tombstones on tandem.sync_entities (stamp, user_id) where op = 'delete';
create index if not exists log_records_old on tandem.log_records (id, user_id);
create index if not exists model_calls_old on tandem.model_calls (ts, user_id);
create index if not exists model_months_old on tandem.model_months (month, user_id);
create index if not exists idempotency_keys_old on tandem.idempotency_keys (created_at, user_id);
drop index if exists tandem.idempotency_keys_age;
