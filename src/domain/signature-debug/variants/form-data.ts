import { jsonVariants } from './json-variants.ts';

/** A flat JSON object as form data. */
export function fieldsAsForm(text: string): string[] {
  const fields = flatFields(text);
  if (fields === null) return [];
  const plus = new URLSearchParams(fields).toString();
  return [plus, plus.replaceAll('+', '%20'), fields.map(([key, value]) => `${key}=${value}`).join('&')];
}

/** The fields of form data or multipart as the intended JSON, in each format. */
export function* formAsJson(text: string, contentType: string | null): Generator<string> {
  const fields = multipartFields(text, contentType) ?? urlEncodedFields(text);
  if (fields === null) return;
  const json = JSON.stringify(Object.fromEntries(fields));
  yield json;
  for (const { value } of jsonVariants(json)) yield value;
}

/** A body that is form data and cannot be mistaken for JSON. */
export function looksLikeForm(text: string, contentType: string | null): boolean {
  return (multipartFields(text, contentType) ?? urlEncodedFields(text)) !== null;
}

function flatFields(text: string): [string, string][] | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
    const entries = Object.entries(value);
    return entries.every(([, item]) => typeof item !== 'object')
      ? entries.map(([k, v]) => [k, String(v)])
      : null;
  } catch {
    return null;
  }
}

function urlEncodedFields(text: string): [string, string][] | null {
  if (!/^[^\s={}[\]"&]+=[^\s{}[\]"]*$/.test(text)) return null;
  return [...new URLSearchParams(text)];
}

function multipartFields(text: string, contentType: string | null): [string, string][] | null {
  const boundary =
    /boundary="?([^";\s]+)/i.exec(contentType ?? '')?.[1] ??
    /^--([\w'()+,./:=?-]{4,70})\r?\n/.exec(text)?.[1];
  if (boundary === undefined) return null;
  const fields = text.split(`--${boundary}`).flatMap(partFields);
  return fields.length === 0 ? null : fields;
}

/** One part of multipart: headers, an empty line, the value, a line break. */
function partFields(part: string): [string, string][] {
  const lineEnd = part.includes('\r\n\r\n') ? '\r\n' : '\n';
  const headEnd = part.indexOf(lineEnd + lineEnd);
  const name = /name="([^"\n]*)"/.exec(part.slice(0, Math.max(headEnd, 0)))?.[1];
  if (name === undefined || !part.endsWith(lineEnd)) return [];
  return [[name, part.slice(headEnd + 2 * lineEnd.length, -lineEnd.length)]];
}
