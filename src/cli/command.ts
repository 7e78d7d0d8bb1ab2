import { Command } from 'commander';
import { readCommandLineConfig } from '../config.ts';
import { Api } from './api.ts';
import { Output } from './output.ts';

/** A command with its help: what it does, and examples to copy. */
export function newCommand(name: string, description: string, examples: readonly string[]): Command {
  const shown = examples.map((example) => `  $ leadgate ${example}`).join('\n');
  return new Command(name)
    .description(description)
    .addHelpText('after', `\nExamples:\n${shown}`)
    .configureHelp({ showGlobalOptions: true });
}

interface Globals {
  readonly json?: boolean;
  readonly keyFile?: string;
}

/** What nearly every command needs. */
export interface Session {
  readonly out: Output;
  readonly api: Api;
}

export function outputOf(command: Command): Output {
  return new Output(command.optsWithGlobals<Globals>().json === true);
}

export function sessionOf(command: Command): Session {
  const { keyFile } = command.optsWithGlobals<Globals>();
  return { out: outputOf(command), api: new Api(readCommandLineConfig(), keyFile) };
}
