-- Runs beside servers of schema 0003 or later.
-- Up to which time the append-only history of a user was exported and deleted, for servers with HISTORY_DAYS.

alter table tandem.sync_heads add column if not exists history_ts bigint not null default 0;
create index if not exists sync_heads_history on tandem.sync_heads (history_ts, user_id);
