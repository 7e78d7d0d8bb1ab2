-- Up Migration

-- Slugs that a form gave up, by a new slug or by its end. Senders may go on posting to one for years, so nobody but the
-- workspace that had it gets it, unless an operator releases it. Two workspaces that shared a slug may both have left it.
create table former_slugs (
  id uuid primary key default gen_random_uuid(),
  slug text not null,
  workspace_id uuid not null references workspaces (id),
  form_id uuid not null references forms (id),
  freed_at timestamptz not null,
  unique (slug, workspace_id)
);
create index former_slugs_newest on former_slugs (workspace_id, freed_at desc, id desc);

-- How many slugs a workspace has given up on its latest day of doing so, in UTC: one row each, so nothing has to be cleared.
create table slug_changes (
  workspace_id uuid primary key references workspaces (id),
  day date not null,
  used integer not null
) with (fillfactor = 50);

-- What was given up before now, as far as it can be known and no form uses it. Each form has had the slugs that its
-- creation and its changes name in the audit log. A form made without one got its slug from its name: what that gives is
-- likely, not certain. So is a change whose end nobody has seen. Of several workspaces, the last one that had a slug for
-- certain keeps it, or else the last one that may have had it.
with named as (
  select f.id as form_id, f.workspace_id, a.at, a.changes ->> 'slug' as slug, a.completed as is_certain
  from audit_log a
  join forms f on f.workspace_id = a.workspace_id
    and f.id::text = case a.action when 'createAForm' then a.target ->> 'id' else a.target ->> 'form_id' end
  where a.action in ('createAForm', 'changeAForm') and a.changes ->> 'slug' is not null
), unnamed as (
  select distinct on (n.form_id) n.form_id, n.workspace_id, f.created_at as at, n.slug as first_named,
    coalesce(c.changes ->> 'name', f.name) as name
  from named n
  join forms f on f.id = n.form_id
  left join audit_log c on c.workspace_id = f.workspace_id and c.action = 'createAForm' and c.target ->> 'id' = f.id::text
  where c.changes ->> 'slug' is null
  order by n.form_id, n.at
), made_from_name as (
  select form_id, workspace_id, at, first_named,
    trim(both '-' from left(regexp_replace(regexp_replace(lower(
      case getdatabaseencoding() when 'UTF8' then normalize(name, nfkd) else name end),
      '[\u0300-\u036f]', '', 'g'), '[^a-z0-9]+', '-', 'g'), 64)) as slug
  from unnamed
), had as (
  select form_id, workspace_id, at, slug, is_certain from named
  union all
  -- "contact-2" as the first slug that is named is what a form called "Contact" got, and no change.
  select form_id, workspace_id, at, slug, false from made_from_name
  where slug <> '' and first_named !~ ('^' || slug || '(-[0-9]+)?$')
), left_behind as (
  select h.form_id, h.workspace_id, h.slug, h.is_certain,
    coalesce(lead(h.at) over (partition by h.form_id order by h.at), f.deleted_at, now()) as freed_at
  from had h join forms f on f.id = h.form_id
  union all
  select id, workspace_id, slug, true, deleted_at from forms where deleted_at is not null
)
insert into former_slugs (slug, workspace_id, form_id, freed_at)
select distinct on (slug) slug, workspace_id, form_id, date_trunc('milliseconds', freed_at)
from left_behind l
where not exists (select from forms f where f.slug = l.slug and f.deleted_at is null)
order by slug, is_certain desc, freed_at desc;
