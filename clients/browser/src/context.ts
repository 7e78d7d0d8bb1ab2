import { honeypotName } from './limits.ts';

/**
 * What the scorer and the owner learn about the page. No cookie, no fingerprint; the query may contain secrets of the page, so
 * only campaign parameters and the click IDs of ad networks are read.
 */
export function contextOf() {
  return {
    page: location.origin + location.pathname,
    referrer: document.referrer,
    campaign: Object.fromEntries(
      [...new URLSearchParams(location.search)].filter(([name]) =>
        /^utm_|^(gbraid|wbraid|gclid|dclid|fbclid|ttclid|twclid|msclkid|li_fat_id)$/.test(name),
      ),
    ),
    elapsed_ms: performance.now() | 0,
    webdriver: navigator.webdriver,
  };
}

/** Repeated names become a list, files their names. */
export function fieldsOf(data: FormData): Record<string, unknown> {
  if (!data.get(honeypotName)) data.delete(honeypotName);
  const fields = [...data.keys()].map((name) => {
    const values = data.getAll(name).map((value) => (value as File).name ?? value);
    return [name, 1 in values ? values : values[0]];
  });
  return Object.fromEntries(fields);
}
