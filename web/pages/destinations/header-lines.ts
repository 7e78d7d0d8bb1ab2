/** A request as it is written on the wire, up to its body. */
export function headerLines(url: string, headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`POST ${url}`, ...lines].join('\n');
}
