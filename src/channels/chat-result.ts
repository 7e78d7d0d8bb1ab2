import type { PostResult } from '../net/delivery/delivery-http.ts';
import { type Tried, triedOf } from './channel.ts';

/** What chats say about a message in the body of their response. */
const refusedShape = 'invalid_payload';
/** With a status of 200: a chat that accepted the request, but could not post the message. */
const notPosted = 'Webhook message delivery failed';

/** What a chat made of a message. Its response is shown to people who may not know the URL, so nothing of that is left in it. */
export function chatResult(result: PostResult, url: string): Tried {
  const tried = meantBy(triedOf(result));
  return { ...tried, head: tried.head === null ? null : withoutSecret(tried.head, url) };
}

function meantBy(tried: Tried): Tried {
  const { status, head } = tried;
  // A URL of a chat exists as long as its webhook does. A message may be about thousands of leads, so they wait.
  if (status === 404 || status === 410)
    return {
      ...tried,
      meaning: 'refused',
      disables: 'gone',
      errorClass: 'gone',
      error: `The chat no longer accepts messages at this URL: ${status}`,
    };
  const body = bodyIn(head);
  if (status === 400 && body.includes(refusedShape))
    return {
      ...tried,
      disables: 'refused',
      error: `The chat does not accept messages of this shape. Check which service the URL is of: ${refusedShape}`,
    };
  if (tried.meaning === 'delivered' && body.startsWith(notPosted))
    return {
      ...tried,
      meaning: 'throttled',
      errorClass: 'throttled',
      error: 'The chat accepted the request, but did not post the message.',
    };
  return tried;
}

function bodyIn(head: Buffer | null): string {
  const text = head?.toString() ?? '';
  return text.slice(text.indexOf('\n\n') + 2).trimStart();
}

const secretCharactersMin = 8;
const wordCharactersMax = 15;
const hidden = '…';

/** Some servers repeat the path of a request that they refuse. */
function withoutSecret(head: Buffer, url: string): Buffer {
  const { pathname, search, searchParams } = new URL(url);
  const parts = [...pathname.split('/'), ...search.split(/[?&=]/), ...searchParams.values()];
  const secrets = [url, pathname + search, ...parts.flatMap((part) => [part, decoded(part)])]
    .filter((part) => part.length >= secretCharactersMin && !isWord(part))
    .sort((a, b) => b.length - a.length);
  let text = head.toString('latin1');
  for (const secret of secrets.map((part) => Buffer.from(part).toString('latin1'))) {
    text = text.replaceAll(secret, Buffer.from(hidden).toString('latin1'));
    text = withoutBeginning(text, secret);
  }
  return Buffer.from(text, 'latin1');
}

/** Such as `services`, which reveals nothing. */
function isWord(part: string): boolean {
  return part.length <= wordCharactersMax && /^[a-z-]+$/i.test(part);
}

/** The end of what was kept may be the beginning of a secret. */
function withoutBeginning(text: string, secret: string): string {
  for (let length = secret.length - 1; length >= secretCharactersMin; length--)
    if (text.endsWith(secret.slice(0, length))) return text.slice(0, -length);
  return text;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
