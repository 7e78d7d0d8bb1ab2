import type { EventContent } from '../request/delivery-request.ts';
import type { MessageOptions } from './message.ts';
import { type Message, messageOf } from './message.ts';

/** Many events in one message. */
export interface DigestMessage {
  /** One line: how many there are. */
  readonly title: string;
  /** The first ones. */
  readonly entries: readonly Message[];
  /** How many others there are. */
  readonly more: number;
  /** Of the page that shows all of them. */
  readonly url: string | null;
  /** What the link to it says. */
  readonly openText: string;
}

/** How many leads a digest shows. */
export const digestEntriesMax = 25;

/** `count` events, of which the contents of some are known. */
export function digestOf(
  workspaceId: string,
  count: number,
  contents: readonly EventContent[],
  options: MessageOptions,
): DigestMessage {
  const entries = contents.slice(0, digestEntriesMax).flatMap((content) => messageOf(content, options) ?? []);
  const { publicUrl } = options;
  const noun = contents.every(({ lead }) => lead !== null) ? 'lead' : 'event';
  return {
    title: count === 1 ? `1 ${noun}` : `${count} ${noun}s`,
    entries,
    more: count - entries.length,
    url: publicUrl === null ? null : `${publicUrl}/w/${workspaceId}/leads`,
    openText: 'Open the lead table',
  };
}
