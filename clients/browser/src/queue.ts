import { prefix, storedMsMax } from './limits.ts';

/** A lead that the service has not responded to yet. */
export interface Waiting {
  readonly url: string;
  readonly key: string;
  readonly body: string;
  readonly captcha: string | undefined;
  /** When the visitor submitted it, in milliseconds since 1970. */
  readonly at: number;
  token?: string;
  /** When the token expires. */
  until?: number;
  /** The same by the clock of the page that got it. A later page's clock starts again, and then `until` is first. */
  steadyUntil?: number;
  /** True as soon as a request with this token was sent: unless there was a response, its outcome is not known. */
  sent?: boolean;
}

export type Storing = 'session' | 'local' | 'none';

const memory: Record<string, string> = {};

/** Memory as well where the visitor or the app around the page does not allow storage, and for a name that is none. */
function storeOf(storing: Storing): Record<string, string> {
  try {
    return window[`${storing as 'session'}Storage`] ?? memory;
  } catch {
    return memory;
  }
}

/** Undefined removes it. A full storage is no reason not to send the lead. */
export function keep(id: string, storing: Storing, lead?: Waiting): void {
  try {
    if (lead) storeOf(storing)[id] = JSON.stringify(lead);
    else delete storeOf(storing)[id];
  } catch {}
}

/** Nothing as well for what cannot be read. */
export function find(id: string, storing: Storing): Waiting | undefined {
  try {
    const lead: Waiting = JSON.parse(storeOf(storing)[id] as string);
    if (Date.now() - lead.at < storedMsMax) return lead;
  } catch {}
  return;
}

export function idsIn(storing: Storing): string[] {
  return Object.keys(storeOf(storing)).filter((name) => name.startsWith(prefix));
}
