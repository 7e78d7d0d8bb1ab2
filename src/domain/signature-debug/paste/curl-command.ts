import { type DebugRequest, type Header, headerValue, UnreadablePaste, wholeRequest } from '../request.ts';
import { shellWords } from './shell-words.ts';

/** Options that take a value and do not affect what is signed; all others take none. */
const otherWithValue = new Set(
  `-o --output -u --user -A --user-agent -e --referer -b --cookie -c --cookie-jar -m --max-time --connect-timeout
   -w --write-out --retry --retry-delay --retry-max-time -x --proxy --cacert --capath -E --cert --key --resolve
   -D --dump-header --limit-rate --interface -K --config --ciphers --tls-max --max-redirs -r --range -C --continue-at`.split(
    /\s+/,
  ),
);
const dataOptions = new Set(['-d', '--data', '--data-ascii', '--data-raw', '--data-binary', '--json']);
const shortWithValue = 'HXdoueAbcmwxEDKrCFT';

interface CurlCall {
  method: string | null;
  url: string;
  readonly headers: Header[];
  readonly data: string[];
  isJson: boolean;
}

/** Reads a pasted curl command: its headers and the body that curl would send. */
export function readCurlCommand(text: string, prefix: string): DebugRequest {
  const words = shellWords(text.trim().replace(/^[$%>#]\s+/, ''));
  if (!/(?:^|[\\/])curl(?:\.exe)?$/.test(words[0] ?? '')) {
    throw new UnreadablePaste('the command must start with curl');
  }
  const call: CurlCall = { method: null, url: '', headers: [], data: [], isJson: false };
  const rest = words.slice(1).flatMap(separated);
  for (let at = 0; at < rest.length; at++) {
    const word = rest[at] as string;
    if (!word.startsWith('-') || word === '-') call.url = word;
    else if (applyOption(call, word, rest[at + 1])) at++;
  }
  const method = call.method ?? (call.data.length > 0 ? 'POST' : 'GET');
  const whole = { method, path: pathOf(call.url), headers: withDefaults(call) };
  return wholeRequest(whole, Buffer.from(call.data.join(call.isJson ? '' : '&')), prefix);
}

/** `-XPOST` and `--url=x` become two words; `-sS` stays one, because it takes no value. */
function separated(word: string): string[] {
  if (/^--[a-z0-9-]+=/.test(word)) {
    const at = word.indexOf('=');
    return [word.slice(0, at), word.slice(at + 1)];
  }
  if (!/^-[A-Za-z]./.test(word)) return [word];
  const at = [...word].findIndex((letter, i) => i > 0 && shortWithValue.includes(letter));
  if (at === -1) return [word];
  const value = word.slice(at + 1);
  return [`-${word[at]}`, ...(value === '' ? [] : [value])];
}

/** True if the option used the next word. */
function applyOption(call: CurlCall, option: string, value = ''): boolean {
  if (option === '-H' || option === '--header') call.headers.push(...readHeader(value));
  else if (option === '-X' || option === '--request') call.method = value.toUpperCase();
  else if (option === '--url') call.url = value;
  else if (dataOptions.has(option)) addData(call, option, value);
  else if (/^(?:-F|--form|--form-string|-T|--upload-file|--data-urlencode)$/.test(option)) {
    throw new UnreadablePaste(`${option} does not send JSON unchanged; use --data-raw with the JSON`);
  } else return otherWithValue.has(option);
  return true;
}

function addData(call: CurlCall, option: string, value: string): void {
  if (value.startsWith('@') && option !== '--data-raw') {
    throw new UnreadablePaste(
      `the body is in the file ${value.slice(1, 80)}; provide its contents as body or body_base64, with timestamp and signature`,
    );
  }
  if (option === '--json') call.isJson = true;
  call.data.push(value);
}

function readHeader(text: string): Header[] {
  const colon = text.indexOf(':');
  if (colon < 1) return [];
  return [{ name: text.slice(0, colon).trim(), value: text.slice(colon + 1).trim() }];
}

/** What curl adds by itself, as far as it matters here. */
function withDefaults({ headers, data, isJson }: CurlCall): Header[] {
  if (data.length === 0 || headerValue(headers, 'Content-Type') !== null) return headers;
  const value = isJson ? 'application/json' : 'application/x-www-form-urlencoded';
  return [...headers, { name: 'Content-Type', value }];
}

function pathOf(url: string): string {
  return url.replace(/^[a-z]+:\/\//i, '').replace(/^[^/]*/, '');
}
