/** A text of the service as a sentence, whether or not it ends like one. */
export function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
