-- Runs beside servers of schema 0001 or later.
-- The devices of a user. A device is known from its registration, its first push or its first heartbeat, whichever comes first.

create table if not exists tandem.devices (
  user_id uuid not null,
  device_id text collate "C" not null,
  name text not null,
  platform text,
  app_version text,
  created_at timestamptz(3) not null default now(),
  last_seen_at timestamptz(3) not null default now(),
  -- The last heartbeat that was written, as the JSON it leaves as. While a device is alive the cache knows a younger one.
  heartbeat_at timestamptz(3),
  heartbeat text,
  primary key (user_id, device_id)
);

create index if not exists devices_newest on tandem.devices (user_id, created_at desc, device_id desc);

select tandem.isolate('tandem.devices');
