import type { Argument, Command, Option } from 'commander';

/** What can follow a command, derived from the commands themselves. */
export interface Node {
  /** The names below the program, such as "form create"; empty for the program. */
  readonly path: string;
  readonly commands: readonly Word[];
  readonly options: readonly OptionNode[];
  readonly arguments: readonly Value[];
}

export interface Word {
  readonly name: string;
  readonly text: string;
}

export interface OptionNode {
  /** "--form", and "-f" if there is one. */
  readonly names: readonly string[];
  readonly text: string;
  /** Null if it takes none. */
  readonly value: Value | null;
}

export interface Value {
  readonly choices: readonly string[];
  readonly isPath: boolean;
  /** For `help`, whose arguments are commands. */
  readonly isCommand: boolean;
}

export function nodesOf(program: Command): Node[] {
  const nodes: Node[] = [];
  const visit = (command: Command, path: readonly string[], inherited: readonly OptionNode[]) => {
    const help = { names: ['-h', '--help'], text: 'show this help', value: null };
    const own = command.options.filter(({ hidden }) => !hidden).map(optionNode);
    const options = [...own, ...inherited];
    nodes.push({
      path: path.join(' '),
      commands: command.commands.flatMap((inner) =>
        namesOf(inner).map((name) => ({ name, text: inner.description() })),
      ),
      options: [...options, help],
      arguments: command.registeredArguments.map(argumentValue),
    });
    for (const inner of command.commands)
      for (const name of namesOf(inner)) visit(inner, [...path, name], options);
  };
  visit(program, [], []);
  return nodes;
}

function namesOf(command: Command): string[] {
  return [command.name(), ...command.aliases()];
}

function optionNode({ short, long, flags, description, required, optional, argChoices }: Option): OptionNode {
  const names = [short, long].filter((name) => name !== undefined && name !== null);
  const takesValue = required || optional;
  return { names, text: description, value: takesValue ? takenValue(flags, argChoices) : null };
}

function argumentValue(argument: Argument): Value {
  const { argChoices } = argument;
  return { ...takenValue(`<${argument.name()}>`, argChoices), isCommand: argument.name() === 'command' };
}

function takenValue(shape: string, choices: readonly string[] | undefined): Value {
  return { choices: choices ?? [], isPath: /[<[](?:path|file|folder)\b/.test(shape), isCommand: false };
}

/** "path option" for each option that takes a value. */
export function valueOptions({ path, options }: Node): string[] {
  return options
    .filter(({ value }) => value !== null)
    .flatMap(({ names }) => names.map((name) => `${path} ${name}`));
}

export function commandSteps({ path, commands }: Node): string[] {
  return commands.map(({ name }) => `${path} ${name}`);
}
