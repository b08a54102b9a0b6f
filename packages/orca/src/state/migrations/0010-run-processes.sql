-- Of the processes that schedulers start for a run: how many there were, and of the newest which program it has, and where what it prints is.

alter table orca.runs
  add column launches integer not null default 0 check (launches >= 0),
  add column program text check (octet_length(program) <= 4096),
  add column log text check (octet_length(log) <= 4096);

-- A new run's token: a UUID of version 7, which begins with the time. Random ones are entered all over their index, each into a page of its own, and the more the longer
-- the history is.
create function orca.run_token() returns uuid language sql volatile parallel unsafe as $$
  select encode(
    set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
      placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6), 52, 1), 53, 1),
    'hex')::uuid
$$;
