/** Under what name the debugger takes a paste. */
export function pasteKind(text: string): 'curl' | 'raw_request' {
  return /^\s*(?:[$%>#]\s+)?(?:\S*[\\/])?curl(?:\.exe)?\s/.test(text) ? 'curl' : 'raw_request';
}
