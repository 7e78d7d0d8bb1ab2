import { directions } from '../../../domain/reading-direction.ts';

/** The beginning of a response for people: what is not text is replaced, so that it changes nothing around it. */
export function responseText(head: Buffer): string {
  return head
    .toString('utf8')
    .replaceAll(/(?![\t\n])\p{Cc}/gu, '�')
    .replaceAll(directions, '�');
}
