import { timingSafeEqual } from 'node:crypto';
import type { Finding } from './mistakes.ts';
import type { DebugRequest } from './request.ts';
import type { Reading } from './signature-readings.ts';
import { bodyVariants } from './variants/body-variants.ts';
import { type Construction, constructions, type Layout, layouts } from './variants/constructions.ts';
import { type KnownSecret, secretVariants } from './variants/secret-variants.ts';
import { neighbouringTimestamps, timestampVariants } from './variants/timestamps.ts';
import type { Variant } from './variants/variant.ts';

/** How many bytes are hashed for one request, and how many before other work gets a turn. */
const searchBytesMax = 128 * 1024 * 1024;
const turnBytes = 512 * 1024;
/** The cost of an attempt besides its bytes. */
const attemptBytes = 4 * 1024;

/** One complete way of signing. */
interface Recipe {
  readonly secret: Variant<Buffer>;
  readonly timestamp: Variant<string>;
  readonly body: Variant<Buffer>;
  readonly layout: Variant<Layout>;
  readonly construction: Variant<Construction>;
}

/** The recipe that reproduces the received signature. */
interface Match {
  readonly reading: Reading;
  /** Empty if it was signed correctly. */
  readonly findings: readonly Finding[];
  readonly signedBody: Buffer;
}

export interface SearchResult {
  readonly match: Match | null;
  readonly attempts: number;
  readonly isComplete: boolean;
}

export interface SearchInput {
  readonly request: DebugRequest;
  readonly timestamp: string;
  readonly readings: readonly Reading[];
  readonly secrets: readonly KnownSecret[];
  readonly at: number;
}

/**
 * Tries ways of signing until one reproduces the received signature: the correct way, then each single mistake, then
 * nearby timestamps, then each pair of mistakes. Yields regularly, so that a server can do other work in between.
 */
export function* search(input: SearchInput): Generator<void, SearchResult> {
  const { readings } = input;
  let attempts = 0;
  let bytes = 0;
  let turn = 0;
  for (const recipe of recipes(input)) {
    if (recipe === null) {
      yield;
      continue;
    }
    if (bytes > searchBytesMax) return { match: null, attempts, isComplete: false };
    attempts++;
    const match = matchOf(recipe, readings);
    if (match !== null) return { match, attempts, isComplete: true };
    bytes += recipe.body.value.length + attemptBytes;
    if (bytes - turn < turnBytes) continue;
    turn = bytes;
    yield;
  }
  return { match: null, attempts, isComplete: true };
}

function matchOf(recipe: Recipe, readings: readonly Reading[]): Match | null {
  const { secret, body, layout, construction } = recipe;
  const candidates = readings.filter(({ digest }) => digest.length === construction.value.digestBytes);
  if (candidates.length === 0) return null;
  const timestamp = Buffer.from(recipe.timestamp.value);
  const message = layout.value(timestamp, body.value);
  const digest = construction.value.digest(secret.value, message, timestamp, body.value);
  const reading = candidates.find((candidate) => timingSafeEqual(candidate.digest, digest));
  if (reading === undefined) return null;
  const findings = [recipe.timestamp, secret, body, layout, construction].flatMap((part) => part.findings);
  return { reading, findings: [...findings, ...reading.findings], signedBody: body.value };
}

/** Null is work without an attempt: making a copy of a body. */
function* recipes(input: SearchInput): Generator<Recipe | null> {
  const lengths = new Set(input.readings.map(({ digest }) => digest.length));
  const secrets = secretVariants(input.secrets);
  const parts: Parts = {
    secret: secrets,
    timestamp: timestampVariants(input.timestamp),
    body: [],
    layout: layouts,
    construction: constructions.filter(({ value }) => lengths.has(value.digestBytes)),
  };
  if (parts.construction.length === 0) return;
  const bodies: Variant<Buffer>[] = [];
  for (const body of bodyVariants(input.request)) {
    bodies.push(body);
    yield null;
  }
  const all: Parts = { ...parts, body: bodies };
  for (const base of rightWays(all)) yield base;
  for (const varied of partNames) yield* withWrong(all, [varied]);
  for (const timestamp of neighbouringTimestamps(input.timestamp, input.at)) {
    for (const base of rightWays(all)) yield { ...base, timestamp };
  }
  for (const [i, first] of partNames.entries()) {
    for (const second of partNames.slice(i + 1)) yield* withWrong(all, [first, second]);
  }
}

type Parts = { readonly [Name in keyof Recipe]: readonly Recipe[Name][] };
const partNames = ['secret', 'timestamp', 'body', 'layout', 'construction'] as const;

/** No mistake, once per valid secret. Digests of other lengths than SHA-256 have no correct way. */
function rightWays(parts: Parts): Recipe[] {
  const [timestamp, body, layout] = [parts.timestamp[0], parts.body[0], parts.layout[0]];
  const construction = parts.construction[0];
  if (!timestamp || !body || !layout || !construction) return [];
  const own = parts.secret.filter(({ findings }) => findings.length === 0);
  return own.map((secret) => ({ secret, timestamp, body, layout, construction }));
}

function* withWrong(parts: Parts, varied: readonly (keyof Recipe)[]): Generator<Recipe> {
  for (const base of rightWays(parts)) yield* varyEach(base, parts, varied);
}

function* varyEach(base: Recipe, parts: Parts, varied: readonly (keyof Recipe)[]): Generator<Recipe> {
  const [name, ...rest] = varied;
  if (name === undefined) {
    yield base;
    return;
  }
  for (const variant of parts[name]) {
    if (variant.findings.length > 0) yield* varyEach({ ...base, [name]: variant }, parts, rest);
  }
}
