import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { MintCountPart } from '../db/browser/mint-counts.ts';
import type { BrowserSigningKeys } from '../domain/browser/signing-keys.ts';
import type { BrowserCounts } from '../ingest/browser/browser-counts.ts';
import { createMint, type MintHandler } from '../ingest/browser/mint/mint.ts';
import { MintLimits } from '../ingest/browser/mint/mint-limits.ts';
import { MintCounts } from '../ingest/browser/mint-counts.ts';
import { WorkChecks } from '../ingest/browser/solutions/work-checks.ts';
import type { Directory } from '../ingest/directory/directory.ts';
import type { HostLink } from '../ingest/siblings/link.ts';
import { CaptchaChecks } from '../net/captcha/captcha-checks.ts';
import { type Egress, systemEgress } from '../net/egress.ts';
import type { BrowserMetrics } from '../telemetry/browser-metrics.ts';
import type { Clock } from '../time/clock.ts';
import type { Randomness } from '../time/randomness.ts';

export interface MintingDeps {
  readonly config: Pick<Config, 'captchaUrls' | 'proxyCount'>;
  readonly keys: BrowserSigningKeys;
  readonly directory: Directory;
  readonly mintCountPartOf: (shard: number) => MintCountPart;
  readonly metrics: BrowserMetrics;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly log: Logger;
  readonly egress?: Egress | undefined;
  /** To the supervisor, when this process is one of several workers. */
  readonly link?: HostLink | undefined;
}

/** Gives challenges and tokens to web pages, and counts what they do. */
export interface Minting {
  readonly mint: MintHandler;
  readonly counts: BrowserCounts;
  start(): void;
  /** Refuses what still waits, and writes the last counts. */
  stop(): Promise<void>;
}

export function createMinting(deps: MintingDeps): Minting {
  const { config, directory, metrics, clock, randomness, log, link, egress = systemEgress } = deps;
  const counts = new MintCounts({ partOf: deps.mintCountPartOf, clock, randomness, log });
  const work = new WorkChecks({ clock, log });
  const captcha = new CaptchaChecks({ urls: config.captchaUrls, egress, clock, log });
  metrics.watch(() => work.depth);
  const mint = createMint({
    directory,
    keys: deps.keys,
    limits: new MintLimits({ clock, link }),
    randomness,
    work,
    verifyCaptcha: (question) => captcha.verify(question),
    clock,
    counts,
    proxyCount: config.proxyCount,
    log,
    onOutcome: (step, outcome) => metrics.onMint(step, outcome),
  });
  return {
    mint,
    counts,
    start: () => counts.start(),
    async stop() {
      captcha.stop();
      await work.stop();
      // Lets the code that waits for the last results count them first.
      await clock.turn();
      await counts.stop();
    },
  };
}
