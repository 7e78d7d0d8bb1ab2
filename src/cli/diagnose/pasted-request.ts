/** The name under which the debugger accepts a paste. */
export function pasteKind(request: Buffer): 'curl' | 'raw_request' {
  const text = request.toString('utf8');
  return /^\s*(?:[$%>#]\s+)?(?:\S*[\\/])?curl(?:\.exe)?\s/.test(text) ? 'curl' : 'raw_request';
}
