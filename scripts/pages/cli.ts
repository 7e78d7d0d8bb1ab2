import type { Command } from 'commander';
import { exitCodes } from '../../src/cli/exit.ts';
import { createProgram } from '../../src/cli/program.ts';

const helpColumns = 110;

/** docs/cli.md, generated from the help of the commands. */
export function cliPage(): string {
  const program = createProgram();
  const codes = Object.values(exitCodes).map(({ code, text }) => `| ${code} | ${text} |`);
  return `# Command line

\`leadgate\` runs the service and manages a running one. In the repository, run \`npx leadgate\`; \`npm link\` puts it on your
path. This page is generated from the help of the commands (\`npm run docs\`).

## How it behaves

- Data goes to standard output, everything else to standard error, so you can use every command in a pipe.
- \`--json\` prints one JSON document, and \`lead export --json\` one array; \`tail\`, \`lead send\`, \`events\` and \`listen\` print one document per line.
- \`get\` and \`show\` are the same command: \`lead show\` is \`lead get\`.
- Colour and progress bars appear only in terminals; \`NO_COLOR=1\` turns off colour.
- Text from senders is shown without control characters, which could manipulate your terminal; in JSON they are escaped.
- Commands that cannot be undone ask first. Without a terminal they need \`--yes\`, or they exit with 2.
- \`-\` means standard input where a command takes a request, a body or leads.
- \`status\` needs no key, \`whoami\` shows which one is used. Commands for workspaces, forms, slugs, tokens, API keys, secrets, leads, rejections, held submissions, alarms, destinations, deliveries and events talk to a running service at \`LEADGATE_URL\`. They use the key in \`--key-file\`, otherwise the
  [API key](api-keys.md) in \`LEADGATE_KEY\`, otherwise the operator key in \`OPERATOR_KEY\` or, for a service on this machine, \`DATA_DIR/operator.key\`. An API key knows its workspace and needs the
  [scopes](api-keys.md#endpoints) of the command; API keys themselves are managed with the operator key or in the settings area.
- Secrets are never flags, because other users of the machine could read them. They come from \`LEADGATE_SECRET\`, \`LEADGATE_TOKEN\` or a prompt.
- \`start\`, \`migrate\`, \`doctor\`, \`backup\`, \`restore\` and \`rekey\` read the [configuration](configuration.md) of the service.

## Exit codes

| Code | Meaning |
|---|---|
${codes.join('\n')}

## Completion

\`leadgate completion\` prints a script that completes commands, options, values and files in your shell:

| Shell | Install |
|---|---|
| bash | \`source <(leadgate completion bash)\` in \`~/.bashrc\` |
| zsh | \`source <(leadgate completion zsh)\` in \`~/.zshrc\`, after \`compinit\` |
| fish | \`leadgate completion fish > ~/.config/fish/completions/leadgate.fish\` |

If you saved the script to a file, generate it again after an upgrade.

## The line break at the end of a file

Most editors end a file with a line break, and a signature covers every byte. So \`diagnose\` checks a saved request without its final line
break, unless \`Content-Length\` counts it. It also tries the alternatives, and says which body the signature matches and which one the service
sees, which is always exactly what the sender sent. \`sign\` signs the exact bytes of the file and tells you if they end with a line break;
\`--trim-final-newline\` leaves it out.

## Backups

\`leadgate backup\` copies the embedded database and the spool, with a checksum of every file. Stop the service first: the embedded PostgreSQL has no
tool to copy it while it runs. If the database was killed, it is stopped cleanly first. The keys are left out unless you add \`--with-keys\`; a key from the
environment is never included. Keep a copy of \`encryption.key\` in a safe place: a restore needs it in \`ENCRYPTION_KEY\` or \`DATA_DIR/encryption.key\`, and
refuses any other key.

\`leadgate restore\` checks every path and file before it touches anything. It refuses a data directory that is in use or not empty; with \`--overwrite\` it
moves existing data aside. With \`DATABASE_URL\`, use \`pg_dump\`, and keep \`ENCRYPTION_KEY\` and \`SPOOL_DIR\`.

## Commands

${program.commands.flatMap(sections).join('\n')}`;
}

function sections(command: Command): string[] {
  const name = `leadgate ${pathOf(command).join(' ')}`;
  return [`### ${name}\n\n\`\`\`text\n${helpOf(command)}\n\`\`\`\n`, ...command.commands.flatMap(sections)];
}

/** The names below the program, down to the command. */
export function pathOf(command: Command): string[] {
  return command.parent === null ? [] : [...pathOf(command.parent), command.name()];
}

/** The help of a command. */
function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({
    getOutHelpWidth: () => helpColumns,
    getOutHasColors: () => false,
    writeOut: (part) => {
      text += part;
    },
  });
  command.outputHelp();
  return text.trimEnd();
}
