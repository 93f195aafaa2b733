-- Runs beside servers of schema 0001 or later.
-- What the cloud keeps for its devices and never executes: workflows, tasks, files and logs; and the keys of creating calls.

create table if not exists tandem.idempotency_keys (
  user_id uuid not null,
  key text not null,
  request_hash text not null,
  -- Null only inside the transaction that makes the thing.
  status smallint,
  reply text,
  created_at timestamptz(3) not null default clock_timestamp(),
  primary key (user_id, key)
);
create index if not exists idempotency_keys_age on tandem.idempotency_keys (user_id, created_at);
select tandem.isolate('tandem.idempotency_keys');

create table if not exists tandem.workflows (
  user_id uuid not null,
  id uuid not null,
  name text not null,
  description text,
  -- JSON text as it was sent: jsonb refuses \u0000 and would reorder it.
  definition text not null,
  node_count integer not null,
  version bigint not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (user_id, id)
);
create index if not exists workflows_changed on tandem.workflows (user_id, updated_at desc, id desc);
select tandem.isolate('tandem.workflows');

create table if not exists tandem.tasks (
  user_id uuid not null,
  -- UUIDv7: the primary key is also the order of making.
  id uuid not null,
  title text not null,
  description text,
  input text,
  -- No foreign key: a task outlives the workflow and the device it names.
  workflow_id uuid,
  device_id text,
  status text not null check (status in ('pending', 'running', 'completed', 'failed', 'canceled')),
  status_ts timestamptz(3) not null,
  result text,
  error text,
  version bigint not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (user_id, id)
);
create index if not exists tasks_status on tandem.tasks (user_id, status, id desc);
create index if not exists tasks_device on tandem.tasks (user_id, device_id, id desc) where device_id is not null;
select tandem.isolate('tandem.tasks');

create table if not exists tandem.files (
  user_id uuid not null,
  -- UUIDv7: also the order of making, and the age of a blob that has no row.
  id uuid not null,
  name text not null,
  size bigint not null,
  media_type text not null,
  sha256 text not null,
  created_at timestamptz(3) not null,
  primary key (user_id, id)
);
select tandem.isolate('tandem.files');

create table if not exists tandem.log_records (
  user_id uuid not null,
  -- UUIDv7 of the moment the record was received: retention goes by it.
  id uuid not null,
  ts timestamptz(3) not null,
  received_at timestamptz(3) not null,
  level text not null check (level in ('debug', 'info', 'warn', 'error')),
  message text not null,
  device_id text,
  source text,
  run_id uuid,
  fields text not null,
  primary key (user_id, id)
);
create index if not exists log_records_newest on tandem.log_records (user_id, ts desc, id desc);
select tandem.isolate('tandem.log_records');
