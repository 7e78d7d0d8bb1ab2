import type { Finding } from './mistakes.ts';

/** One way to read a signature header as a digest, and the mistakes in writing it that way. */
export interface Reading {
  readonly digest: Buffer;
  readonly findings: readonly Finding[];
}

const accepted = /^(?:sha256=)?([0-9a-fA-F]{64})$/;
const labels =
  /^(?:(?:[A-Z0-9-]*\(?stdin\)?|SHA2-256|HMAC)[= ]+\s*|t=\d+,\s*v\d=|v\d[=,:]\s*|(?:hmac-?)?sha-?(?:1|256|384|512)[=:]\s*|(?:signature|digest|hmac|bearer|x-[\w-]+)[=: ]\s*)/i;
const trailing = /\s+[*-]?(?:-|stdin)?\s*$/i;
/** Lengths of digests in bytes: MD5, SHA-1, SHA-224, SHA-256, SHA-384, SHA-512. */
const digestLengths = new Set([16, 20, 28, 32, 48, 64]);

/** Every way to read the value as a digest. */
export function readSignature(value: string): Reading[] {
  const plain = accepted.exec(value);
  if (plain !== null) return [{ digest: Buffer.from(plain[1] as string, 'hex'), findings: [] }];
  const undressed = undress(value);
  return [...hexReadings(undressed.text), ...base64Readings(undressed.text)].map((reading) => ({
    digest: reading.digest,
    findings: [...undressed.findings, ...reading.findings],
  }));
}

/** Hex that is too short to be a digest; compared with the start of one at two lengths only. */
export function isCutOff(value: string): boolean {
  const hex = /^(?:sha256=)?([0-9a-fA-F]+)$/.exec(value)?.[1];
  return hex !== undefined && hex.length >= 24 && hex.length < 64;
}

function undress(value: string): { readonly text: string; readonly findings: Finding[] } {
  const findings: Finding[] = [];
  let text = value;
  const apply = (code: Finding['code'], next: string, says: string) => {
    if (next !== text && findings.every((finding) => finding.code !== code)) findings.push({ code, says });
    text = next;
  };
  apply('signature_decorated', percentDecoded(text), 'the signature is percent-encoded');
  apply('signature_decorated', withoutQuotes(text.trim()), 'there are quotes or spaces around the signature');
  // Twice: the header name, then a prefix.
  for (let i = 0; i < 2; i++) {
    const label = labels.exec(text)?.[0] ?? '';
    const isAllowed = label === 'sha256=' && findings.every(({ code }) => code !== 'signature_prefix');
    const next = text.slice(label.length);
    if (isAllowed) text = next;
    else apply('signature_prefix', next, `"${label.trim()}" precedes the signature`);
  }
  apply('signature_prefix', text.replace(trailing, ''), 'there is text after the signature');
  apply('signature_decorated', withoutQuotes(text), 'there are quotes around the signature');
  apply('signature_decorated', text.replace(/^(?:0x|\\x)(?=[0-9a-f]+$)/i, ''), '"0x" precedes the signature');
  if (/^[0-9a-f]{2}(?:[-: ][0-9a-f]{2})+$/i.test(text)) {
    apply('signature_decorated', text.replaceAll(/[-: ]/g, ''), 'the bytes of the signature are separated');
  }
  return { text, findings };
}

/** Also the way Python prints bytes: b'…' */
function withoutQuotes(text: string): string {
  return /^b?(['"`])(.*)\1$/s.exec(text)?.[2] ?? text;
}

function percentDecoded(text: string): string {
  if (!/%[0-9a-f]{2}/i.test(text)) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function hexReadings(text: string): Reading[] {
  if (!/^(?:[0-9a-fA-F]{2})+$/.test(text)) return [];
  const bytes = Buffer.from(text, 'hex');
  const inner = innerDigest(bytes);
  const twice =
    inner === null ? [] : [reading(inner, 'signature_encoded_twice', 'the signature was encoded twice')];
  return digestLengths.has(bytes.length) ? [...twice, { digest: bytes, findings: [] }] : twice;
}

function base64Readings(text: string): Reading[] {
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) return [];
  const bytes = Buffer.from(text, 'base64');
  // Only the canonical encoding: Node decodes almost anything.
  if (bytes.toString('base64url') !== text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, ''))
    return [];
  const inner = innerDigest(bytes);
  if (inner !== null) {
    return [
      reading(inner, 'signature_encoded_twice', 'the signature is base64 of a text that is already hex'),
    ];
  }
  // Hex of other digests could also be read as base64; it counts as hex.
  if (!digestLengths.has(bytes.length) || /^[0-9a-fA-F]+$/.test(text)) return [];
  return [reading(bytes, 'signature_base64', 'the signature is base64, not hex')];
}

/** Bytes that are themselves the text of a digest in hex or base64. */
function innerDigest(bytes: Buffer): Buffer | null {
  const text = bytes.toString('latin1');
  if (/^[0-9a-fA-F]{64}$/.test(text)) return Buffer.from(text, 'hex');
  return /^[A-Za-z0-9+/]{43}=$/.test(text) ? Buffer.from(text, 'base64') : null;
}

function reading(digest: Buffer, code: Finding['code'], says: string): Reading {
  return { digest, findings: [{ code, says }] };
}
