import type { StorableKey } from '../../../db/ingest/ingest-commit.ts';
import type { PageSignals } from '../../../domain/browser/page-signals.ts';
import { allowsOrigin } from '../../directory/browser-entry.ts';
import type { Directory, FormEntry, WorkspaceEntry } from '../../directory/directory.ts';
import { type HeaderValue, repeated } from '../../headers.ts';
import type { Received } from '../../receive.ts';
import { type Proof, ProvenRejection, Rejection } from '../../rejection.ts';

/** What is known of a web page besides the body. */
export interface Page {
  /** Stands for the idempotency key. */
  readonly key: StorableKey;
  readonly signals: PageSignals;
}

/** What a valid token, or a form without script, proves. */
export interface PageProof {
  /** Its body is the lead as JSON. */
  readonly received: Received;
  readonly workspace: WorkspaceEntry;
  readonly form: FormEntry;
  readonly page: Page;
}

/**
 * A token that is late, or a form that was switched off. Its lead may have been stored in time, and the page has not got the
 * response.
 */
export class PageRejectionUnlessRepeat extends ProvenRejection {
  readonly workspace: WorkspaceEntry;
  readonly key: StorableKey;

  constructor({ reason, detail }: Rejection, proof: Proof, workspace: WorkspaceEntry, key: StorableKey) {
    super(reason, detail, proof);
    this.workspace = workspace;
    this.key = key;
  }
}

const workspaceSuspended = new Rejection('workspace_suspended');
const formInactive = new Rejection('form_inactive');
const originMissing = new Rejection('origin_missing');
const originRepeated = new Rejection('origin_missing', { repeated: true });
const originNull = new Rejection('origin_missing', { null: true });

/** Why the form takes no leads now. Such a request can be kept. */
export function checkOpen(form: FormEntry, directory: Directory): Rejection | null {
  const workspace = directory.workspace(form.workspaceId);
  if (workspace === null || workspace.isSuspended) return workspaceSuspended;
  return form.isActive ? null : formInactive;
}

/** Long enough to recognise any real origin. */
const shownCharactersMax = 120;

/**
 * `claimed` is the origin that a token was created for. Compared as sent, because browsers have one spelling for each
 * origin, and with the list as it is now.
 */
export function checkOrigin(
  origin: HeaderValue,
  claimed: string | null,
  form: FormEntry,
  at: number,
): Rejection | null {
  if (origin === undefined || origin === '') return originMissing;
  if (origin === repeated) return originRepeated;
  if (origin === 'null') return originNull;
  const isAllowed = form.browser !== null && allowsOrigin(form.browser, origin, at);
  if (isAllowed && (claimed === null || origin === claimed)) return null;
  const detail = { origin: origin.slice(0, shownCharactersMax), in_list: isAllowed };
  return new Rejection('origin_not_allowed', detail);
}
