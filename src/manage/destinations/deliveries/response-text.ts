/** The beginning of a response for people: what is not text is replaced, so that it changes nothing around it. */
export function responseText(head: Buffer): string {
  return head
    .toString('utf8')
    .replaceAll(/(?![\t\n])[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '�');
}
