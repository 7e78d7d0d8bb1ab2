import type { AuditEntry } from '../../contract/audit.ts';
import { operationId } from '../../contract/call.ts';
import { calls } from '../../contract/calls.ts';
import type { AuditRow } from '../../db/workspaces/audit-log.ts';
import { directions } from '../../domain/reading-direction.ts';
import { eventOf, phraseOf } from './audit-phrases.ts';

/** The present names, by id, of what an entry does not name itself. */
type Names = ReadonlyMap<string, string>;
type Entry = Pick<
  AuditRow,
  'actorKind' | 'actorId' | 'actorName' | 'action' | 'target' | 'changes' | 'times' | 'names' | 'workspaceId'
>;
type Subject = NonNullable<AuditEntry['subject']>;
type Kind = Subject['kind'];

export interface AuditText {
  /** "Ada Lovelace removed Max Weber" */
  readonly text: string;
  /** "Ada Lovelace removed ", their number, " people" */
  readonly series: { readonly before: string; readonly after: string };
  /** What it was done to. */
  readonly subject: Subject | null;
}

interface KindWords {
  /** Its id in the path of a call. */
  readonly param: string;
  /** The action that creates one, and has its id and name. */
  readonly creation?: string;
  readonly unknown: string;
  readonly noun: string;
  named(name: string): string;
}

const kinds: Readonly<Record<Kind, KindWords>> = {
  person: { param: 'person_id', unknown: 'a person', noun: 'person', named: (name) => name },
  form: {
    param: 'form_id',
    creation: 'createAForm',
    unknown: 'a form',
    noun: 'form',
    named: (name) => `form ${name}`,
  },
  token: {
    param: 'token_id',
    creation: 'createAnIngestToken',
    unknown: 'an ingest token',
    noun: 'ingest token',
    named: (name) => `ingest token ${name}`,
  },
  api_key: {
    param: 'api_key_id',
    creation: 'createAnApiKey',
    unknown: 'an API key',
    noun: 'API key',
    named: (name) => `API key ${name}`,
  },
  destination: {
    param: 'destination_id',
    creation: 'createADestination',
    unknown: 'a destination',
    noun: 'destination',
    named: (name) => `destination ${name}`,
  },
  // Never named: what senders wrote must not be in the log.
  lead: { param: 'submission_id', unknown: 'a lead', noun: 'lead', named: (name) => name },
  view: {
    param: 'view_id',
    creation: 'saveAView',
    unknown: 'a view',
    noun: 'view',
    named: (name) => `view ${name}`,
  },
  invitation: {
    param: 'invitation_id',
    unknown: 'an invitation',
    noun: 'invitation',
    named: (name) => `the invitation of ${name}`,
  },
  workspace: {
    param: 'workspace_id',
    unknown: 'the workspace',
    noun: 'workspace',
    named: (name) => `workspace ${name}`,
  },
};

/** For a value that is not known, or was not kept. */
const unknownValues: Readonly<Record<string, string>> = {
  mark: 'spam or not spam',
  link_made_by: 'someone else',
  operation: 'do something',
  address: 'someone',
};

/** What someone tried: "rename, suspend or resume a workspace". */
const attempts: ReadonlyMap<string, string> = new Map(
  calls.map((call) => [operationId(call), call.summary.charAt(0).toLowerCase() + call.summary.slice(1)]),
);

export function auditText(entry: Entry, names: Names): AuditText {
  const event = eventOf(entry);
  const phrase = phraseOf(entry);
  const actor = event === undefined ? `${actorOf(entry, names)} ` : '';
  const one = event ?? phrase?.one ?? `called ${entry.action}`;
  const text = actor + filled(one, entry, names);
  const [before, after] = phrase?.many?.split('{count}') ?? [];
  return {
    text: entry.times > 1 ? `${text} (${entry.times} times)` : text,
    series:
      before === undefined || after === undefined
        ? { before: `${text} (`, after: ' times)' }
        : { before: actor + filled(before, entry, names), after: filled(after, entry, names) },
    subject: subjectOf(one, entry, names),
  };
}

function actorOf({ actorKind, actorId, actorName, names }: Entry, present: Names): string {
  if (actorKind === 'nobody') return 'Someone';
  if (actorKind === 'operator_key') return 'The operator';
  if (actorKind === 'api_key') return `API key ${plain(actorName)}`;
  return plain(names.actor ?? present.get(actorId ?? '') ?? actorName);
}

function filled(phrase: string, entry: Entry, names: Names): string {
  return phrase.replaceAll(/\{(\+?)(\w+)\}/g, (_, plus: string, key: string) =>
    isKind(key) ? named(subject(key, entry, names), plus !== '') : changedValue(key, entry),
  );
}

function named({ kind, id, name }: Subject, withNoun: boolean): string {
  const words = kinds[kind];
  if (name !== null) return withNoun ? words.named(name) : name;
  // The end of an id: ids made at about the same time begin alike.
  return id === null ? words.unknown : `${words.noun} ${id.slice(-8)}`;
}

function subjectOf(phrase: string, entry: Entry, names: Names): Subject | null {
  const found = [...phrase.matchAll(/\{\+?(\w+)\}/g)].map(([, key = '']) => key).find(isKind);
  return found === undefined ? null : subject(found, entry, names);
}

function subject(kind: Kind, entry: Entry, names: Names): Subject {
  const { target, changes, action, workspaceId } = entry;
  const { param, creation } = kinds[kind];
  const created = action === creation ? [target.id, changes.name] : [];
  const id = created[0] ?? target[param] ?? changes[param] ?? (kind === 'workspace' ? workspaceId : null);
  const name = entry.names[kind] ?? created[1] ?? names.get(String(id));
  return {
    kind,
    id: typeof id === 'string' ? id : null,
    name: typeof name === 'string' ? plain(name) : null,
  };
}

function isKind(key: string): key is Kind {
  return Object.hasOwn(kinds, key);
}

function changedValue(key: string, { changes, action }: Entry): string {
  const value = changes[key];
  if (typeof value !== 'string' || value === '…') return unknownValues[key] ?? key;
  return action === 'accessRefused' ? (attempts.get(value) ?? `call ${value}`) : plain(value);
}

/** A name must not reverse or hide the rest of the sentence. */
function plain(name: string): string {
  return name.replaceAll(directions, '');
}
