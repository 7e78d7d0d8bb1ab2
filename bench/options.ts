import { parseArgs } from 'node:util';
import { type GeneratorName, generators, preferredGenerator } from './load/generator.ts';

export const targetNames = ['echo', 'textbook', 'bad token', 'service', 'rejected', 'held'] as const;
export type TargetName = (typeof targetNames)[number];

export interface Options {
  readonly generator: GeneratorName;
  readonly only: readonly TargetName[];
  readonly connections: readonly number[];
  readonly warmUpSeconds: number;
  readonly measuredSeconds: number;
}

export const usage = `npm run bench -- [options]
  --quick               warm up for one second and measure for three, to try things out
  --generator=<name>    wrk or bundled; wrk when it is installed
  --only=<a,b>          echo, textbook, bad-token, service, rejected, held
  --connections=<a,b>   64,256
`;

/** Throws an error with a message for the user when an option is invalid. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      generator: { type: 'string', default: preferredGenerator() },
      only: { type: 'string', default: targetNames.join(',') },
      connections: { type: 'string', default: '64,256' },
    },
  });
  return {
    generator: oneOf(values.generator, Object.keys(generators) as GeneratorName[]),
    only: values.only.split(',').map((name) => oneOf(name.replace('-', ' '), targetNames)),
    connections: values.connections.split(',').map(positive),
    warmUpSeconds: values.quick ? 1 : 3,
    measuredSeconds: values.quick ? 3 : 8,
  };
}

function oneOf<T extends string>(text: string, allowed: readonly T[]): T {
  const found = allowed.find((name) => name === text);
  if (found === undefined) throw new Error(`"${text}" is not one of ${allowed.join(', ')}`);
  return found;
}

function positive(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1) throw new Error(`"${text}" is not a number of connections`);
  return number;
}
