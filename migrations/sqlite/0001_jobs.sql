-- Times are microseconds: since the Unix epoch (*_time, deadline, not_before), or of the process's own
-- monotonic clock (lease_until, retry_at), which means nothing after a restart and is reset by it.

-- What the store as a whole remembers; one row.
create table meta (
    singleton    integer primary key check (singleton = 1),
    boot         integer not null, -- how often the store was opened; the high half of every lease token
    queue_paused integer not null, -- 1: nothing is claimed
    virtual_time real    not null, -- of the tenants, see jobs::fairness
    secret       blob    not null  -- authenticates page tokens
) strict;

create table tenants (
    tenant       text    primary key,
    served       real    not null, -- chunks, as virtual time
    virtual_time real    not null, -- of the tenant's jobs
    stored_bytes integer not null  -- payloads of inputs and results
) strict, without rowid;

-- A job is one row, however many items it has.
create table jobs (
    key               integer primary key autoincrement, -- order of arrival
    id                text    not null,
    tenant            text    not null references tenants,
    work              text    not null, -- JSON of jobs::spec::Work
    count             integer,          -- null until the inputs are committed
    priority          integer not null,
    max_parallelism   integer,
    not_before        integer,
    deadline          integer,
    ttl               integer not null, -- microseconds
    labels            text    not null, -- JSON object
    state             integer not null, -- jobs::job::JobState; 1..3 may be claimed from, 6.. have ended
    revision          integer not null,
    received          integer not null, -- durable inputs
    chunk_items       integer not null,
    next_index        integer not null, -- no chunk was claimed from here on
    running           integer not null, -- chunks leased
    waiting           integer not null, -- chunks given back
    served            real    not null, -- chunks, as virtual time
    done              integer not null,
    contiguous_done   integer not null,
    tally             text    not null, -- JSON object, items by outcome
    rejections        text    not null, -- JSON object, candidates turned down by option
    stored_bytes      integer not null,
    rate              real    not null,
    rate_pending      integer not null,
    rate_time         integer,
    error_reason      text,
    error_message     text,
    generator_version integer not null,
    create_time       integer not null,
    start_time        integer,
    end_time          integer,
    expire_time       integer,
    upload_time       integer not null,
    purged            integer not null default 0, -- 1: inputs and results are gone
    deleted           integer not null default 0  -- 1: nobody sees it any more
) strict;

create unique index jobs_by_id on jobs (tenant, id) where deleted = 0;
create index jobs_by_tenant on jobs (tenant, key) where deleted = 0;
create index jobs_claimable on jobs (state, priority, key) where state <= 3;
create index jobs_live on jobs (tenant) where state <= 5;
create index jobs_by_deadline on jobs (deadline) where state <= 5 and deadline is not null;
create index jobs_uploading on jobs (upload_time) where state = 1;
create index jobs_by_expiry on jobs (expire_time) where purged = 0 and expire_time is not null;
create index jobs_purged on jobs (expire_time) where purged = 1;
create index jobs_deleted on jobs (purged) where deleted = 1;

-- Chunks that are leased or were given back. One never claimed is only jobs.next_index; a finished one
-- is a row of results.
create table chunks (
    job         integer not null references jobs,
    first_index integer not null,
    items       integer not null,
    leased      integer not null, -- 1: somebody runs it
    token       integer not null, -- of the last claim
    lease_until integer not null,
    worker      text    not null,
    retry_at    integer not null,
    attempts    integer not null,
    panics      integer not null,
    deaths      integer not null, -- of the process while it ran
    primary key (job, first_index)
) strict, without rowid;

create index chunks_leased on chunks (lease_until) where leased = 1;

-- Payloads stand in tables with a rowid, so that the key index stays small and dense.
create table inputs (
    job         integer not null references jobs,
    first_index integer not null,
    items       integer not null,
    payload     blob    not null,
    primary key (job, first_index)
) strict;

create table results (
    job         integer not null references jobs,
    first_index integer not null,
    items       integer not null,
    payload     blob    not null,
    primary key (job, first_index)
) strict;

-- Items that were given up; their result is the outcome FAULT.
create table failures (
    job         integer not null references jobs,
    first_index integer not null,
    items       integer not null,
    attempts    integer not null,
    reason      text    not null,
    message     text    not null,
    fail_time   integer not null,
    worker      text    not null,
    primary key (job, first_index)
) strict, without rowid;

-- What a client's request id has made. Kept for a day or the job's life, the longer.
create table requests (
    tenant      text    not null,
    request_id  text    not null,
    digest      blob    not null, -- SHA-256 of the request's canonical form
    job_id      text    not null,
    job         integer, -- null when its header is gone
    create_time integer not null,
    primary key (tenant, request_id)
) strict, without rowid;

create index requests_by_job on requests (job) where job is not null;
create index requests_without_job on requests (create_time) where job is null;
