export const apiPrefix = '/api/v1';

export type QueryValues = Readonly<Record<string, string | number | undefined | null>>;

/** The part of a call that goes in its URL. */
export interface Addressed {
  readonly params?: Readonly<Record<string, string>> | undefined;
  readonly query?: QueryValues | undefined;
}

/** The URL of a call, from the root of the service. */
export function addressOf(path: string, { params = {}, query }: Addressed): string {
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  return apiPrefix + filled + queryText(query);
}

/** Leaves out missing and empty values; returns an empty string when none remain. */
export function queryText(values: QueryValues = {}): string {
  const given = Object.entries(values).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  );
  const text = new URLSearchParams(
    given.map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return text === '' ? '' : `?${text}`;
}
