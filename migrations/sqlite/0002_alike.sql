-- Jobs in which no two puzzles may be alike, see jobs::alike.

-- 1: the tables below may have rows of the job. They are of no use once it has ended.
alter table jobs add column sealing integer not null default 0;

create index jobs_sealing on jobs (state) where sealing = 1;

-- Chunks that ran before those below them were sealed. They count for nothing yet.
create table unsealed (
    job         integer not null references jobs,
    first_index integer not null,
    items       integer not null,
    payload     blob    not null, -- as in results
    tally       text    not null, -- as in jobs
    rejections  text    not null, -- as in jobs
    forms       blob    not null, -- jobs::alike::MadeForm, see store::sqlite::forms
    primary key (job, first_index)
) strict;

-- The forms of sealed items, but for those of the last chunks.
create table forms (
    job  integer not null references jobs,
    form integer not null, -- jobs::alike::Form
    primary key (job, form)
) strict, without rowid;

-- Those of the last chunks, which enter their table together.
create table recent_forms (
    job         integer not null references jobs,
    first_index integer not null,
    forms       blob    not null, -- eight bytes each, little-endian
    primary key (job, first_index)
) strict;

-- Items of chunks that wait or run, which were alike to others: so many times.
create table remakes (
    job     integer not null references jobs,
    item    integer not null,
    remakes integer not null,
    primary key (job, item)
) strict, without rowid;
