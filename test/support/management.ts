import type pg from 'pg';
import type { Logger } from 'pino';
import { channelsOf } from '../../src/channels/channels.ts';
import { BrowserSigningKeys } from '../../src/domain/browser/signing-keys.ts';
import { BodyHashes } from '../../src/domain/lead/body-hash.ts';
import { SubmissionIds } from '../../src/domain/lead/submission-id.ts';
import { deriveIdRoot } from '../../src/domain/secrets/id-root.ts';
import { KeyDoor, KeyGuesses } from '../../src/domain/secrets/key-door.ts';
import { SecretBox } from '../../src/domain/secrets/secret-box.ts';
import { Mail } from '../../src/mail/mail.ts';
import { Accounts } from '../../src/manage/accounts/accounts.ts';
import { CallRate } from '../../src/manage/calls/call-rate.ts';
import { ExpensiveCalls } from '../../src/manage/calls/expensive-calls.ts';
import type { ManagementDeps } from '../../src/manage/deps.ts';
import { dryRunThread } from '../../src/manage/destinations/dry-run/dry-run-thread.ts';
import { scoringThread } from '../../src/manage/quarantine/scoring-thread.ts';
import { rescoringThread } from '../../src/manage/scoring/rescoring-thread.ts';
import { systemClock } from '../../src/time/real-clock.ts';

/** The dependencies of the management API, for tests that need it without the rest of the service. */
export function managementDeps(
  pool: pg.Pool,
  log: Logger,
  overrides: Partial<ManagementDeps> = {},
): ManagementDeps {
  const publicUrl = () => 'http://localhost';
  return {
    pool,
    clock: systemClock,
    secretBox: new SecretBox('x'.repeat(32)),
    bodyHashes: new BodyHashes(deriveIdRoot('x'.repeat(32))),
    browserKeys: new BrowserSigningKeys('x'.repeat(32)),
    browserSdk: async () => null,
    rescoring: rescoringThread(),
    scoring: scoringThread(),
    keepsRejected: true,
    submissionIds: new SubmissionIds(deriveIdRoot('x'.repeat(32))),
    heldDecisions: { wake: () => {} },
    leadActions: { wake: () => {} },
    learning: { wake: () => {} },
    signatureDebugRate: new CallRate(1),
    apiKeyRate: new CallRate(600),
    expensiveCalls: new ExpensiveCalls(),
    operatorDoor: new KeyDoor(['key'], new KeyGuesses(), () => {}),
    events: { note: () => {} },
    accounts: new Accounts({ pool, clock: systemClock, log, publicUrl, encryptionKey: 'x'.repeat(32) }),
    mail: new Mail(null, log),
    proxyCount: 0,
    uncountedProxy: { arrived: () => {}, proven: () => {}, isThere: false },
    figures: async () => ({
      accepted: 0,
      commits: [],
      isDatabaseAvailable: true,
      nodes: [],
      queueLeads: 0,
      spoolLeads: 0,
      spoolBytes: 0,
      isSpoolUsable: true,
      directoryAgeMs: 0,
      log: { isWritable: true, droppedLines: 0 },
      workers: null,
    }),
    instance: () => ({
      workerCount: 1,
      spoolBytesMax: 0,
      takesLeads: true,
      role: 'all',
      version: '0.0.0',
      startedAt: 0,
      leapMs: 0,
      disks: [],
    }),
    history: {
      points: [],
      recent: () => ({ leadsPerSecond: null, commitP50Ms: null, commitP99Ms: null }),
    },
    publicUrl,
    ingestUrl: publicUrl,
    headerPrefix: 'X-SVC-',
    enrichNetwork: 'off',
    referenceScript: Promise.resolve(null),
    directoryChanged: async () => {},
    endFirstStart: async () => {},
    deliveryHttp: {
      refusal: async () => null,
    },
    hubspotProperties: async () => ({ reason: 'unavailable', text: 'Off.' }),
    channels: channelsOf({
      sender: { post: async () => ({ failure: 'network_off', text: 'Off.', ms: 0 }) },
      database: { listRecipients: async () => [], saveRecipientErrors: async () => {} },
      mail: {
        isOn: false,
        deliver: async () => ({ isAccepted: false, isAboutRecipient: false, status: null, text: '' }),
      },
      ...{ clock: systemClock, log, hubspotUrl: '' },
    }),
    destinationTestRate: new CallRate(1),
    destinationDryRuns: dryRunThread(),
    eventWaiters: { wait: async () => {} },
    live: { open: async () => new ReadableStream() },
    log,
    ...overrides,
  };
}
