import { LoadGenerator } from './generator.ts';
import type { FromLoad, ToLoad } from './order.ts';

/** The load, in a process that no fault affects: its ledger is what senders know. */
const progressMs = 250;
let generator: LoadGenerator | null = null;

function tell(message: FromLoad): void {
  process.send?.(message);
}

process.on('message', async (message: ToLoad) => {
  switch (message.kind) {
    case 'start':
      generator = new LoadGenerator(message.order, () => tell({ kind: 'begun' }));
      setInterval(() => generator && tell({ kind: 'progress', tally: generator.tally }), progressMs);
      await generator.run();
      break;
    case 'targets':
      generator?.aimAt(message.ports);
      break;
    case 'finish':
      await generator?.finish();
      tell({ kind: 'finished' });
      break;
    case 'confirm':
      await generator?.confirm();
      tell({ kind: 'confirmed' });
      break;
  }
});
process.once('disconnect', () => process.exit());
