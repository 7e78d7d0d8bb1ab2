import type { Finding } from './mistakes.ts';
import { type DebugRequest, type Header, headerValue } from './request.ts';
import { textOf } from './variants/body-variants.ts';
import { looksLikeForm } from './variants/form-data.ts';

interface Names {
  readonly timestamp: string;
  readonly signature: string;
}

/** The values to continue with: under the right names, the first if there are several, otherwise under similar names. */
export function seemingHeaders(request: DebugRequest, names: Names) {
  const seeming = (which: keyof Names) =>
    request[which].value ??
    headerValue(request.whole?.headers ?? [], names[which]) ??
    similarHeader(request, names, which)?.value ??
    null;
  return { timestamp: seeming('timestamp'), signature: seeming('signature') };
}

/** What is wrong with the headers, before anything is computed. */
export function headerFindings(request: DebugRequest, names: Names): Finding[] {
  const findings: Finding[] = [];
  for (const which of ['timestamp', 'signature'] as const) {
    const { times } = request[which];
    const similar = similarHeader(request, names, which);
    if (times > 1)
      findings.push({ code: 'header_repeated', says: `the header ${names[which]} was sent more than once` });
    else if (times === 0 && similar !== null) {
      findings.push({
        code: 'header_misnamed',
        says: `the ${which} was sent as ${similar.name.slice(0, 60)} instead of ${names[which]}`,
      });
    } else if (times === 0) {
      findings.push({ code: `${which}_missing`, says: `the header ${names[which]} is missing` });
    }
  }
  const text = textOf(request.body);
  const isForm = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)/i.test(
    request.contentType ?? '',
  );
  if (isForm && text !== null && looksLikeForm(text, request.contentType)) {
    findings.push({ code: 'body_form_encoded', says: 'form data was sent instead of JSON' });
  }
  return findings;
}

const likeness = { timestamp: /time-?stamp|-time$/i, signature: /signature|hmac|-sha-?256/i };

function similarHeader({ whole, ...request }: DebugRequest, names: Names, which: keyof Names): Header | null {
  if (request[which].times > 0) return null;
  const others = (whole?.headers ?? []).filter(
    ({ name }) => name.toLowerCase() !== names[which].toLowerCase(),
  );
  return others.find(({ name }) => likeness[which].test(name)) ?? null;
}
