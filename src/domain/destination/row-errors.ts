/** PostgreSQL refuses NUL, and a lone surrogate cannot be written as UTF-8. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** A text of an owner in a message, cut so that the message stays short. */
export function shown(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 60).toWellFormed()}…`;
}
