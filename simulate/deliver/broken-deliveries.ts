import type { BrokenBuild } from '../../chaos/broken-builds.ts';

/** Builds that accept leads as promised, but do not deliver them so. */
export const brokenDeliveries: readonly Pick<BrokenBuild, 'name' | 'breakages'>[] = [
  {
    name: 'writes that a delivery has arrived before it sends it',
    breakages: [
      {
        file: 'src/deliver/line/tries.ts',
        from: '    const result = await sendWith(sender, parts, aborting);\n',
        to: `    const hoped = { status: 200, retryAfterMs: null, head: null, ms: 0 };
    const early = { destination, delivery, result: hoped, decision: { next: 'delivered' as const }, at };
    void this.#deps.writer.write(triedOutcome(early, secretBox));
    const result = await sendWith(sender, parts, aborting);
`,
      },
    ],
  },
  {
    name: 'takes its leases for renewed without asking',
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
    breakages: [
      {
        file: 'simulate/database/deliver/deliver-model.ts',
        from: 'until: until.getTime(), wakeAt: Number.POSITIVE_INFINITY });',
        to: 'until: until.getTime(), wakeAt: leases.get(id)?.wakeAt ?? 0 });',
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
    breakages: [
      {
        file: 'simulate/database/deliver/deliver-model.ts',
        from: "  if (row.state === 'pending' && row.attempts === attemptsBefore) return true;\n",
        to: '  if (row.attempts === attemptsBefore) return true;\n',
      },
    ],
  },
];
