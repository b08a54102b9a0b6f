-- Who may act in the UI: users, their sessions, and logins that failed.

-- Passwords are kept as bcrypt hashes that pgcrypto makes. It is made in orca, unless the database has it already, wherever that is; a code of our own
-- tells a database that can't have it from one in which something else isn't allowed.
do $$
declare
  place text;
begin
  begin
    create extension if not exists pgcrypto with schema orca;
  exception when insufficient_privilege or feature_not_supported or undefined_file then
    raise exception using errcode = 'OR001', message = sqlerrm;
  end;
  select quote_ident(n.nspname) into strict place
  from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'pgcrypto';
  execute format('create function orca.hash_of_password(password text) returns text language sql volatile strict
    return %1$s.crypt(password, %1$s.gen_salt(''bf'', 10))', place);
  execute format('create function orca.is_password(password text, hash text) returns boolean language sql immutable strict
    return %1$s.crypt(password, hash) = hash', place);
end
$$;

create table orca.users (
  name text collate "C" primary key check (name ~ '^[a-z0-9][a-z0-9._@+-]*$' and octet_length(name) <= 64),
  password_hash text not null check (octet_length(password_hash) = 60),
  created_at timestamptz not null default clock_timestamp(),
  -- when the password was set
  changed_at timestamptz not null default clock_timestamp()
);

-- A login that goes on. Whoever reads this table has no token: only a hash of it is kept.
create table orca.sessions (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  user_name text collate "C" not null references orca.users on delete cascade,
  created_at timestamptz not null default clock_timestamp(),
  seen_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null
);
create index sessions_of_user on orca.sessions (user_name, created_at);
create index sessions_by_expiry on orca.sessions (expires_at);

-- The logins of the last minutes that haven't succeeded: too many of a name or from an address have the next ones refused.
create table orca.login_failures (
  id bigint generated always as identity primary key,
  -- null if no user can have the name that was given
  name text collate "C" check (octet_length(name) <= 64),
  address inet not null,
  at timestamptz not null default clock_timestamp()
);
create index login_failures_of_name on orca.login_failures (name, at) where name is not null;
create index login_failures_of_address on orca.login_failures (address, at);
create index login_failures_by_time on orca.login_failures (at);

-- Whether a pipeline has mapped steps is in its description.
alter table orca.pipelines drop column mapped_steps;
