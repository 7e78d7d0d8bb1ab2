import { jsonVariants } from './json-variants.ts';

/** A flat JSON object as a form would send it. */
export function fieldsAsForm(text: string): string[] {
  const fields = flatFields(text);
  if (fields === null) return [];
  const plus = new URLSearchParams(fields).toString();
  return [plus, plus.replaceAll('+', '%20'), fields.map(([key, value]) => `${key}=${value}`).join('&')];
}

/** The fields of form data or multipart, as the JSON that was meant. */
export function formAsJson(text: string, contentType: string | null): string[] {
  const fields = multipartFields(text, contentType) ?? urlEncodedFields(text);
  if (fields === null) return [];
  const json = JSON.stringify(Object.fromEntries(fields));
  return [json, ...[...jsonVariants(json)].map(({ value }) => value)];
}

/** A body that no program would take for JSON, but one would for form data. */
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
  const fields = text.split(`--${boundary}`).flatMap((part): [string, string][] => {
    const match = /name="([^"]*)"[\s\S]*?\r?\n\r?\n([\s\S]*?)\r?\n$/.exec(part);
    return match === null ? [] : [[match[1] as string, match[2] as string]];
  });
  return fields.length === 0 ? null : fields;
}
