import { commandSteps, type Node, type OptionNode, type Value, valueOptions } from './tree.ts';

/**
 * A function for bash 3.2 and later, without the bash-completion package. It follows the words typed so far down the commands,
 * passing over options and their values, and then offers what can stand next.
 */
export function bashScript(nodes: readonly Node[]): string {
  return `# Completion of leadgate for bash, made by "leadgate completion bash".
_leadgate() {
  local current="\${COMP_WORDS[COMP_CWORD]}" at='' awaited='' given=0 word place value
  local IFS=$' \\t\\n'
  COMPREPLY=()
  for ((place = 1; place < COMP_CWORD; place++)); do
    word="\${COMP_WORDS[place]}"
    # Bash makes three words of --option=value.
    if [[ $word == '=' ]]; then continue; fi
    if [[ -n $awaited ]]; then awaited=''; continue; fi
    case "$at $word" in
${casesOf(nodes.flatMap(valueOptions), 'awaited=$word')}
      *' -'*) ;;
${casesOf(nodes.flatMap(commandSteps), `at="\${at:+$at }$word"`)}
      *) given=$((given + 1)) ;;
    esac
  done
  if [[ $current == '=' ]]; then current=''; fi
  if [[ -n $awaited ]]; then
    case "$at $awaited" in
${nodes.flatMap((node) => node.options.flatMap((option) => optionCase(node, option))).join('\n')}
    esac
    return
  fi
  if [[ $current == -* ]]; then
    case "$at" in
${nodes.map(({ path, options }) => `      ${quoted(path)}) ${offer(options.flatMap(({ names }) => names))} ;;`).join('\n')}
    esac
    return
  fi
  case "$at:$given" in
${nodes.flatMap((node) => nextCases(node, nodes)).join('\n')}
  esac
}
complete -F _leadgate leadgate
`;
}

function casesOf(patterns: readonly string[], then: string): string {
  return `      ${patterns.map(quoted).join(' | ')}) ${then} ;;`;
}

function optionCase({ path }: Node, { names, value }: OptionNode): string[] {
  if (value === null) return [];
  const action = actionOf(value);
  return action === null
    ? []
    : [`      ${names.map((name) => quoted(`${path} ${name}`)).join(' | ')}) ${action} ;;`];
}

function nextCases(node: Node, nodes: readonly Node[]): string[] {
  const { path, commands } = node;
  if (commands.length > 0)
    return [`    ${quoted(`${path}:0`)}) ${offer(commands.map(({ name }) => name))} ;;`];
  return node.arguments.flatMap((value, place) => {
    if (value.isCommand) return helpCases(path, nodes);
    const action = actionOf(value);
    return action === null ? [] : [`    ${quoted(`${path}:${place}`)}) ${action} ;;`];
  });
}

/** The words after help are counted as arguments; what they name is offered by how many there are. */
function helpCases(path: string, nodes: readonly Node[]): string[] {
  const groups = nodes.filter(({ commands }) => commands.length > 0);
  const cases = groups.map(
    ({ path: group, commands }) => `        ${quoted(group)}) ${offer(commands.map(({ name }) => name))} ;;`,
  );
  return [
    `    ${quoted(`${path}:`)}*)
      value="\${COMP_WORDS[*]:2:COMP_CWORD-2}"
      case "$value" in
${cases.join('\n')}
      esac ;;`,
  ];
}

function actionOf({ choices, isPath }: Value): string | null {
  if (choices.length > 0) return offer(choices);
  return isPath ? fileAction : null;
}

// Names of files may have blanks; each stands on a line.
const fileAction = `IFS=$'\\n'; COMPREPLY=($(compgen -f -- "$current")); compopt -o filenames 2> /dev/null`;

function offer(words: readonly string[]): string {
  return `COMPREPLY=($(compgen -W ${quoted(words.join(' '))} -- "$current"))`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
