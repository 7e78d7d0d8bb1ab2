-- Up Migration

-- Leads that a web page sends. `not valid` skips the check of old rows, all of which are on the two other surfaces.
alter table leads drop constraint if exists leads_surface_check;
alter table leads add constraint leads_surface_check check (surface in ('server', 'webhook', 'browser')) not valid;
alter table rate_windows drop constraint if exists rate_windows_surface_check;
alter table rate_windows add constraint rate_windows_surface_check
  check (surface in ('server', 'webhook', 'browser')) not valid;

-- How web pages may send leads to a form. Part of the directory; a row stays when it is turned off, so that every instance
-- reads the change.
create table if not exists browser_settings (
  form_id uuid primary key references forms (id),
  workspace_id uuid not null references workspaces (id),
  enabled boolean not null,
  -- Not a secret: it is in the source of the page.
  public_key text not null unique,
  origins text[] not null,
  -- Until when http://localhost on any port is allowed too.
  localhost_until timestamptz,
  protection text not null check (protection in ('work', 'turnstile', 'hcaptcha', 'none')),
  captcha_site_key text,
  captcha_ciphertext bytea,
  -- Set once the owner has created a secret for minting without a request.
  mint_secret_ciphertext bytea,
  mint_secret_set_at timestamptz,
  previous_mint_secret_ciphertext bytea,
  previous_mint_secret_valid_until timestamptz,
  -- Tokens of earlier epochs are no longer valid.
  epoch integer not null default 1,
  ttl_s integer not null check (ttl_s between 60 and 300),
  no_script boolean not null,
  thanks_url text,
  revision bigint not null
);
create index if not exists browser_settings_revision on browser_settings (revision);

-- What became of the visits of web pages, per minute and origin. `step` is challenged, minted, used, or refused:<reason>.
create table if not exists mint_counts (
  shard smallint not null,
  workspace_id uuid not null,
  form_id uuid not null,
  minute timestamptz not null,
  -- Empty for an origin that is not allowed: anyone can send any text there.
  origin text not null,
  step text not null,
  count bigint not null,
  last_at timestamptz not null,
  primary key (shard, workspace_id, form_id, minute, origin, step)
) with (fillfactor = 50);
create index if not exists mint_counts_expiry on mint_counts (shard, minute);
