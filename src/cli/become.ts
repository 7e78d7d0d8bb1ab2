import { extname, join } from 'node:path';

/** What else this package can run, with the flags of Node that it wants; package.json has the same for npm. */
export const programs = {
  start: { flags: ['--max-semi-space-size=64', '--no-allocation-site-pretenuring'], path: 'src/main' },
  demo: { flags: [], path: 'src/demo/main' },
} as const;

// Compiled, everything lies as it lies in the sources.
const root = join(import.meta.dirname, '../..');
const extension = extname(import.meta.filename);

/** This process becomes the other program, so that signals and exit codes are its own. */
export async function become(name: keyof typeof programs): Promise<void> {
  const { flags, path } = programs[name];
  const file = join(root, path + extension);
  // A system that cannot replace a process runs the program inside this one, without its flags.
  if (process.execve === undefined) await import(file);
  else process.execve(process.execPath, [process.execPath, ...flags, file]);
}
