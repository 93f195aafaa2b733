-- Runs beside servers of schema 0001 or later.

-- The place in PostgreSQL's history at which the epoch was chosen: which cluster, and which timeline of it. A standby that is promoted and
-- a backup that is restored to a point in time start a new timeline. Null where PostgreSQL does not let us read it.
alter table tandem.server_epoch
  add column if not exists system_identifier text,
  add column if not exists timeline integer;

-- What devices see. Read in the transaction of each push and pull, so that a reply always names the history its rows belong to.
alter table tandem.server_epoch
  add column if not exists label text not null
    generated always as (epoch::text || coalesce('.' || system_identifier || '.' || timeline::text, '')) stored;

grant select on tandem.server_epoch to tandem_app;
