/** What comes before the body: a request as it is written on the wire, or the headers of an email. */
export function headerLines(url: string | null, headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [...(url === null ? [] : [`POST ${url}`]), ...lines].join('\n');
}
