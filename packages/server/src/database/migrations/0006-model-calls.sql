-- Runs beside servers of schema 0001 or later.
-- What calls of models cost, never what was said in them: one row a call, and beside it the sum of each month, so that a budget is one look instead of a count.

create table if not exists tandem.model_calls (
  user_id uuid not null,
  -- UUIDv7, told to the caller as x-generation-id: written twice it is still one call.
  generation_id uuid not null,
  -- When the call was let in; its day and its month are those of this moment, in UTC.
  ts timestamptz(3) not null,
  device_id text collate "C",
  operation text collate "C" not null,
  -- provider/model that answered, or that was asked for when none did.
  model text collate "C" not null,
  status smallint not null,
  input_tokens bigint not null,
  -- Part of input_tokens.
  cached_input_tokens bigint not null,
  output_tokens bigint not null,
  -- The provider did not say: reckoned from sizes.
  estimated boolean not null,
  -- The caller hung up.
  aborted boolean not null,
  attempts smallint not null,
  first_byte_ms integer,
  duration_ms integer not null,
  primary key (user_id, generation_id)
);
create index if not exists model_calls_time on tandem.model_calls (user_id, ts);
select tandem.isolate('tandem.model_calls');

-- Raised in the statement that inserts the rows, by those rows and no others.
create table if not exists tandem.model_months (
  user_id uuid not null,
  month date not null,
  tokens bigint not null,
  primary key (user_id, month)
);
select tandem.isolate('tandem.model_months');
