import { createInterface } from 'node:readline';
import { CliError } from '../exit.ts';

/** Whether a person can be asked: questions go to standard error, answers come from standard input. */
export function isInteractive(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/** Reads one line from the terminal without showing it. */
export function typeHidden(question: string): Promise<string> {
  // First, so that nothing that is typed after the question is shown.
  process.stdin.setRawMode(true).setEncoding('utf8').resume();
  process.stderr.write(question);
  return new Promise((resolve, reject) => {
    let text = '';
    const end = (settle: () => void) => {
      process.stdin.setRawMode(false).pause().off('data', onData);
      process.stderr.write('\n');
      settle();
    };
    const onData = (typed: string) => {
      for (const key of typed) {
        if (key === '\r' || key === '\n' || key === '\x04') return end(() => resolve(text));
        if (key === '\x03') return end(() => reject(new CliError('failure', 'Cancelled.')));
        text = key === '\x7f' ? text.slice(0, -1) : text + key;
      }
    };
    process.stdin.on('data', onData);
  });
}

/** True only for "y" and "yes"; Enter, Ctrl-D and anything else mean no. */
export async function askYesOrNo(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await new Promise<string>((resolve) => {
      lines.once('close', () => resolve(''));
      lines.once('SIGINT', () => resolve(''));
      lines.question(`${question} [y/N] `, resolve);
    });
    return /^y(?:es)?$/i.test(answer.trim());
  } finally {
    lines.close();
  }
}
