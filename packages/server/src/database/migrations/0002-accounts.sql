-- Runs beside servers of schema 0001 or later.
-- Accounts: who there is, how they prove it, and where they are signed in.

create table if not exists tandem.users (
  user_id uuid primary key,
  -- As it was written; email_directory holds the form that is compared.
  email text not null,
  display_name text not null,
  locale text not null,
  time_zone text not null,
  avatar_file_id uuid,
  version integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);

select tandem.isolate('tandem.users');
revoke delete on tandem.users from tandem_app;

-- The one table that is asked across users. On a cluster it stays on one node, or is distributed by email.
create table if not exists tandem.email_directory (
  email text primary key,
  user_id uuid not null
);

create table if not exists tandem.credentials (
  user_id uuid primary key,
  -- PHC string: the parameters travel with the hash.
  password_hash text not null,
  changed_at timestamptz(3) not null
);

create table if not exists tandem.sessions (
  user_id uuid not null,
  session_id uuid not null,
  device_id text,
  -- Half of what refresh tokens are derived from; null where the platform keeps the sessions itself.
  seed bytea,
  -- Of the newest refresh token.
  counter integer not null default 1,
  -- When the tokens before the newest one were replaced, oldest first; only the last few seconds are kept.
  replaced timestamptz(3)[] not null default '{}',
  created_at timestamptz(3) not null,
  last_used timestamptz(3) not null,
  ended_at timestamptz(3),
  primary key (user_id, session_id)
);

create index if not exists sessions_of_device on tandem.sessions (user_id, device_id) where ended_at is null;

-- tandem_accounts finds a user in the directory, then names him like everybody else: its other rows are his alone.
-- tandem_app has no right to any of these three tables.
do $$
declare
  name text;
begin
  foreach name in array array['email_directory', 'credentials', 'sessions'] loop
    execute format('alter table tandem.%I enable row level security', name);
    execute format('alter table tandem.%I force row level security', name);
    execute format('create policy owner_rows on tandem.%I to %I using (true) with check (true)', name, current_user);
  end loop;
  foreach name in array array['users', 'credentials', 'sessions'] loop
    execute format(
      'create policy account_rows on tandem.%I to tandem_accounts
        using (user_id = tandem.current_user_id()) with check (user_id = tandem.current_user_id())',
      name
    );
    execute format('grant select, insert, update on tandem.%I to tandem_accounts', name);
  end loop;
end
$$;

create policy directory_rows on tandem.email_directory to tandem_accounts using (true) with check (true);
grant select, insert on tandem.email_directory to tandem_accounts;
grant delete on tandem.sessions to tandem_accounts;
