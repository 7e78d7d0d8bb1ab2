const domainShape = /^(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/;
const domainCharactersMax = 253;
const localShape = /^[^\s@<>(),;:\\"[\]]{1,64}$/u;
/** Characters that would make the URL parser read more than a host. */
const notInHost = /[\s/\\:?#@%<>[\]^|*]/;

/** "@Bücher.Example." → "xn--bcher-kva.example". Null if it is not a domain name. */
export function normalDomain(text: string): string | null {
  const host = text.trim().replace(/^@/, '').replace(/\.$/, '');
  if (host === '' || notInHost.test(host)) return null;
  const ascii = URL.parse(`http://${host}/`)?.hostname ?? '';
  return ascii.length <= domainCharactersMax && domainShape.test(ascii) ? ascii : null;
}

/** Lower case, with a normalised domain. Null if it is not an email address. */
export function normalEmail(text: string): string | null {
  const address = text.trim().toLowerCase();
  const at = address.lastIndexOf('@');
  const local = address.slice(0, at);
  const domain = normalDomain(address.slice(at + 1));
  return at > 0 && localShape.test(local) && domain !== null ? `${local}@${domain}` : null;
}

/** ISO 3166: "de" → "DE", "UK" → "GB". Null if there is no such country. */
export function normalCountry(text: string): string | null {
  if (!/^[a-z]{2}$/i.test(text)) return null;
  const region = new Intl.Locale(`und-${text}`).region ?? '';
  return countryNames.of(region) === undefined ? null : region;
}

const countryNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

/** Several stars in a row mean the same as one. */
export function normalGlob(text: string): string {
  return text.trim().replace(/\*+/g, '*');
}
