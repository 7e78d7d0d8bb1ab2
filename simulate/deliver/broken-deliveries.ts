import type { BrokenBuild } from '../finding.ts';

const sending = '    const results = await channels[destination.kind].send(parcel, aborting);\n';

/** Builds that accept leads as promised, but do not deliver them so. */
export const brokenDeliveries: readonly BrokenBuild[] = [
  {
    name: 'writes that a delivery has arrived before it sends it',
    finds: 'unsent',
    breakages: [
      {
        file: 'src/deliver/line/tries.ts',
        from: sending,
        to: `    const hoped = { ...{ meaning: 'delivered', status: 200, ms: 0, sentTo: [] } as const, disables: null,
      isLeadRefused: false, retryAfterMs: null, errorClass: null, error: null, head: null };
    for (const { delivery } of items) {
      const early = { destination, delivery, tried: hoped, decision: { next: 'delivered' as const }, at };
      void this.#deps.writer.write(triedOutcome(early, this.#deps.secretBox));
    }
${sending}`,
      },
    ],
  },
  {
    name: 'takes its leases for renewed without asking',
    finds: 'unleased',
    breakages: [
      {
        file: 'src/deliver/engine.ts',
        from: '    const kept = new Set(await database.renew(this.#instanceId, ids, until));\n',
        to: '    const kept = new Set(until > new Date(0) ? ids : await database.renew(this.#instanceId, ids, until));\n',
      },
    ],
  },
  {
    name: 'sends what it read long ago',
    finds: 'leaked',
    breakages: [
      {
        file: 'src/deliver/line/line.ts',
        from: 'const ageMsMax = secondMs;\n',
        to: 'const ageMsMax = 60 * secondMs;\n',
      },
    ],
  },
  {
    name: 'never looks for deliveries whose destination nobody woke',
    finds: 'stuck',
    also: ['undelivered'],
    breakages: [
      {
        file: 'src/deliver/engine.ts',
        from: '      this.#firstDueAt = await database.sweep(now());\n',
        to: '      this.#firstDueAt = null;\n',
      },
    ],
  },
  {
    name: 'commits the events of the relay before their deliveries',
    finds: 'undelivered',
    breakages: [
      {
        file: 'simulate/database/deliver/relay-turn.ts',
        from: '    return this.#notes.length;\n',
        to: '    this.#storeEvents();\n    return this.#notes.length;\n',
      },
      {
        file: 'simulate/database/deliver/relay-turn.ts',
        from: '    this.#storeEvents();\n    const { deliver }',
        to: '    const { deliver }',
      },
    ],
  },
  {
    name: 'forgets who woke a destination while it looked',
    finds: 'late',
    breakages: [
      {
        file: 'simulate/database/deliver/deliver-model.ts',
        from: 'until: until.getTime(), wakeAt: Number.POSITIVE_INFINITY };',
        to: 'until: until.getTime(), wakeAt: leases.get(id)?.wakeAt ?? 0 };',
      },
      {
        file: 'simulate/database/deliver/deliver-model.ts',
        from: '    const wakeAt = Math.min(row.wakeAt, next?.getTime() ?? Number.POSITIVE_INFINITY);\n',
        to: '    const wakeAt = next?.getTime() ?? Number.POSITIVE_INFINITY;\n',
      },
    ],
  },
  {
    name: 'writes the outcome of a delivery whose lead was erased',
    finds: 'leaked',
    breakages: [
      {
        file: 'simulate/database/deliver/deliver-model.ts',
        from: "  if (row.state === 'pending' && row.attempts === attemptsBefore) return true;\n",
        to: '  if (row.attempts === attemptsBefore) return true;\n',
      },
    ],
  },
  {
    name: 'leaves out of a digest what it would only count',
    finds: 'unsent',
    breakages: [
      {
        file: 'src/deliver/line/tries.ts',
        from: sending,
        to: `    const shown = items.filter(({ isOnlyCounted }) => !isOnlyCounted);
    const told = await channels[destination.kind].send({ ...parcel, items: shown }, aborting);
    const results = items.map((_, i) => (told[i] ?? told[0]) as TryResult);
`,
      },
    ],
  },
  {
    name: 'forgets which recipients have an email',
    finds: 'doubled',
    breakages: [
      {
        file: 'src/deliver/line/conclusion.ts',
        from: '    destinationVersion: destination.version,\n    sentTo,\n',
        to: '    destinationVersion: destination.version,\n    sentTo: [],\n',
      },
    ],
  },
  {
    name: 'sends a message for each lead, however many there are',
    finds: 'crowded',
    breakages: [
      {
        file: 'src/deliver/line/portion.ts',
        from: '  const left = leads - sent - inProgress;\n',
        to: '  const left = leads - 0 * (sent + inProgress);\n',
      },
    ],
  },
];
