import { contextOf } from './context.ts';
import { bodyBytesMax, prefix } from './limits.ts';
import { find, idsIn, keep, type Storing, type Waiting } from './queue.ts';
import { type FullOptions, type Result, release, settle } from './result.ts';
import { deliver, refused } from './send.ts';
import { bytesOf } from './work.ts';

/** A lead on its way in this page, and who is told its result. */
interface Run {
  done?: Promise<Result | undefined>;
  target: EventTarget;
  /** Who was the target when a visitor submitted it. When it is sent again later, the window is. */
  form: EventTarget | undefined;
  lead: Waiting | undefined;
}

const runs = new Map<string, Run>();

/**
 * The same fields again, before there is a result, are the same lead. It is stored before anything else can happen: a page
 * may be left as soon as its visitor has clicked.
 */
export async function submit(
  { url, key, context, storage }: FullOptions,
  fields: Readonly<Record<string, unknown>>,
  target: EventTarget,
): Promise<Result> {
  try {
    const {
      'cf-turnstile-response': turnstile,
      'h-captcha-response': hcaptcha,
      // A second name of hCaptcha's.
      'g-recaptcha-response': _,
      ...rest
    } = fields as Record<string, string>;
    const body = JSON.stringify(context === false ? rest : { ...rest, _context: contextOf() });
    const reason = !crypto.subtle ? 'insecure' : bytesOf(body).length > bodyBytesMax && 'too_large';
    if (reason) return settle(target, { reason });
    const storing = storage || 'session';
    const id = prefix + JSON.stringify([key, rest]);
    const lead = { url, key, body, captcha: turnstile || hcaptcha, at: Date.now() };
    if (!find(id, storing)) keep(id, storing, lead);
    return (await run(id, storing, target, lead)) ?? settle(target, refused);
  } catch {
    return settle(target, refused);
  }
}

/** Sends what is waiting from earlier pages, or since the browser was offline. */
export async function resume(): Promise<void> {
  const storings: Storing[] = ['session', 'local', 'none'];
  await Promise.all(
    storings.flatMap((storing) => idsIn(storing).map((id) => runs.get(id)?.done || run(id, storing, window))),
  );
}

function run(id: string, storing: Storing, target: EventTarget, lead?: Waiting): Promise<Result | undefined> {
  const current = runs.get(id) ?? ({} as Run);
  // Another form with the same fields hears the result now.
  if (current.target !== target) release(current.target);
  if (lead) current.form = target;
  current.target = target;
  current.lead = lead;
  runs.set(id, current);
  const task = async () => {
    // Nothing is waiting if another tab has sent it meanwhile.
    const waiting = find(id, storing) ?? current.lead;
    const save = () => keep(id, storing, waiting);
    save();
    const result = waiting && (await deliver(waiting, save));
    if (result?.reason !== 'offline') {
      keep(id, storing);
      runs.delete(id);
    }
    return result;
  };
  // Other tabs share the storage: what one of them sends, no other may send at the same time with another token.
  // A sandboxed frame has no locks, and no origin that could be allowed.
  current.done ??= navigator.locks
    .request(id, task)
    .catch(() => refused)
    .then((result) => {
      delete current.done;
      return result && settle(current.target, result, current.form);
    });
  return current.done;
}
