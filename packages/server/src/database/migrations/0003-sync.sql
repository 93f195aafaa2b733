-- Runs beside servers of schema 0001 or later.
-- What devices share: one row for each entity as it is now, and for each user how far the writing has come.

create table if not exists tandem.sync_heads (
  user_id uuid primary key,
  -- Milliseconds since 1970, as cursors are: finer than that a cursor could not say. 0 is before the first write.
  stamp bigint not null default 0,
  -- The latest stamp of a tombstone that is gone: whoever has not pulled that far can not know what was deleted.
  purged_ts bigint not null default 0
);

select tandem.isolate('tandem.sync_heads');

create table if not exists tandem.sync_entities (
  user_id uuid not null,
  -- When the row became what it is, in the order of commits: each push of a user has a stamp of its own, later than all before it.
  stamp bigint not null,
  version bigint not null,
  -- The place of the change in its push.
  ord integer not null,
  -- A union of two writes: news even for the device that sent the last one.
  merged boolean not null,
  op text collate "C" not null check (op in ('upsert', 'delete')),
  entity_type text collate "C" not null,
  entity_id text collate "C" not null,
  -- Text, since it is ordered as text everywhere.
  updated_at text collate "C" not null,
  device_id text collate "C" not null,
  content_hash text collate "C" not null,
  -- The change record as the JSON it leaves as.
  record text not null,
  primary key (user_id, entity_type, entity_id)
);

create unique index if not exists sync_entities_order on tandem.sync_entities (user_id, stamp, ord);
create index if not exists sync_entities_tombstones on tandem.sync_entities (user_id, stamp) where op = 'delete';

select tandem.isolate('tandem.sync_entities');

-- A push writes hundreds of rows: who the user is is asked once a statement, not once a row.
alter policy own_rows on tandem.sync_entities
  using (user_id = (select tandem.current_user_id())) with check (user_id = (select tandem.current_user_id()));
