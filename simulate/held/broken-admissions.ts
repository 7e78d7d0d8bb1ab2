import type { BrokenBuild } from '../finding.ts';

/** The functions that admit are a model in the simulation, so an error in them is one in the model. */
export const brokenAdmissions: readonly BrokenBuild[] = [
  {
    name: 'gives an admitted lead another ID than its key gets',
    finds: 'doubled',
    breakages: [
      {
        file: 'src/manage/held/lead-ids.ts',
        from: '  const keyHash = keyOf(row);\n',
        to: '  const keyHash = null as Buffer | null;\n',
      },
    ],
  },
  {
    name: 'admits a request without claiming its key',
    finds: 'doubled',
    breakages: [
      {
        file: 'simulate/database/held/admission.ts',
        from: '  for (const one of admitted) claimKey(transaction, rows, one, admission.at.getTime());\n',
        to: '',
      },
    ],
  },
  {
    name: 'notes the progress of a selection before it decides',
    finds: 'undecided',
    breakages: [
      {
        file: 'src/manage/held/decision-loop.ts',
        from: 'const decided = some.length === 0 ? 0 : await this.#decide(decision, some);',
        to: 'const decided = some.length as number | string;',
      },
      {
        file: 'src/manage/held/decision-loop.ts',
        from: '    await database.noteProgress(decision, progress, new Date(clock.now()));\n',
        to: `    await database.noteProgress(decision, progress, new Date(clock.now()));
    if (some.length > 0) await this.#decide(decision, some);
`,
      },
    ],
  },
];
