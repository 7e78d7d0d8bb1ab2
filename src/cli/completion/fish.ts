import type { Node, OptionNode, Value } from './tree.ts';

/** Rules for fish, each for one place among the commands, which a function finds out. */
export function fishScript(nodes: readonly Node[]): string {
  const withValue = nodes.flatMap(({ path, options }) =>
    options
      .filter(({ value }) => value !== null)
      .flatMap(({ names }) => names.map((name) => quoted(`${path} ${name}`))),
  );
  const steps = nodes.flatMap(({ path, commands }) => commands.map(({ name }) => quoted(`${path} ${name}`)));
  return `# Completion of leadgate for fish, made by "leadgate completion fish".
function __leadgate_place
    set -l at ''
    set -l given 0
    set -l awaited 0
    for word in (commandline -opc)[2..-1]
        if test $awaited -eq 1
            set awaited 0
        else if contains -- "$at $word" ${withValue.join(' ')}
            set awaited 1
        else if string match -q -- '-*' $word
            continue
        else if contains -- "$at $word" ${steps.join(' ')}
            set at (string trim -- "$at $word")
        else
            set given (math $given + 1)
        end
    end
    echo "$at:$given"
end
function __leadgate_at
    string match -q -- "$argv[1]:*" (__leadgate_place)
end
function __leadgate_next
    test (__leadgate_place) = "$argv[1]"
end
function __leadgate_help
    set -l words (commandline -opc)
    test "$words[2]" = help; and test "$words[3..-1]" = "$argv[1]"
end
complete -c leadgate -f
${nodes.flatMap((node) => rulesOf(node, nodes)).join('\n')}
`;
}

function rulesOf(node: Node, nodes: readonly Node[]): string[] {
  const { path, commands, options } = node;
  const inNode = `-n ${quoted(`__leadgate_at ${quotedInside(path)}`)}`;
  return [
    ...commands.map(
      ({ name, text }) =>
        `complete -c leadgate -n ${quoted(`__leadgate_next ${quotedInside(`${path}:0`)}`)} -a ${quoted(name)} -d ${quoted(text)}`,
    ),
    ...options.map((option) => `complete -c leadgate ${inNode} ${optionText(option)}`),
    ...node.arguments.flatMap((value, place) =>
      value.isCommand ? helpRules(nodes) : argumentRule(`${path}:${place}`, value),
    ),
  ];
}

function helpRules(nodes: readonly Node[]): string[] {
  return nodes.flatMap(({ path, commands }) =>
    commands.map(
      ({ name, text }) =>
        `complete -c leadgate -n ${quoted(`__leadgate_help ${quotedInside(path)}`)} -a ${quoted(name)} -d ${quoted(text)}`,
    ),
  );
}

function argumentRule(place: string, value: Value): string[] {
  const offered = offeredText(value);
  if (offered === '') return [];
  return [`complete -c leadgate -n ${quoted(`__leadgate_next ${quotedInside(place)}`)} ${offered}`];
}

function optionText({ names, text, value }: OptionNode): string {
  const flags = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
  const taken = value === null ? '' : ` -r ${offeredText(value)}`;
  return `${flags.join(' ')}${taken.trimEnd()} -d ${quoted(text)}`;
}

function offeredText({ choices, isPath }: Value): string {
  if (choices.length > 0) return `-a ${quoted(choices.join(' '))}`;
  return isPath ? '-F' : '';
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** Inside a text that is quoted itself. */
function quotedInside(text: string): string {
  return `"${text}"`;
}
