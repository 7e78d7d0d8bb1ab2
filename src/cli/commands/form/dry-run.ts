import type { Command } from 'commander';
import type { DryRun, FormScoring } from '../../../contract/scoring.ts';
import { newCommand, sessionOf } from '../../command.ts';
import { CliError } from '../../exit.ts';
import { formParams } from '../../find.ts';
import { countOption, inWorkspace, type WorkspaceOption } from '../../options.ts';
import type { Column } from '../../output.ts';
import { readBytes } from '../../terminal/read-bytes.ts';

type Settings = FormScoring['settings'];
type Example = DryRun['examples'][number];

interface DryRunOptions extends WorkspaceOption {
  readonly settings?: string;
  readonly weight?: readonly string[];
  readonly disable?: readonly string[];
  readonly limit?: string;
}

const columns: Column<Example>[] = [
  { title: 'LEAD', show: ({ submission_id }) => submission_id },
  { title: 'BEFORE', show: ({ from }) => scoreText(from) },
  { title: 'AFTER', show: ({ to }) => scoreText(to) },
  {
    title: 'FINDINGS THAT MOVED',
    show: ({ moved }) => moved.map(movedText).join(', ') || 'only a threshold',
  },
];

const scoreText = ({ verdict, risk, score }: Example['from']) => `${verdict}, risk ${risk}, score ${score}`;

function movedText({ code, from, to }: Example['moved'][number]): string {
  return `${code} ${from ?? 'none'} → ${to ?? 'none'}`;
}

export const dryRunCommand = () =>
  inWorkspace(
    newCommand('dry-run', 'Try scoring settings on the newest leads of a form. Nothing is saved.', [
      'form dry-run contact --weight EMAIL_DISPOSABLE=60',
      'form dry-run contact --disable EMAIL_ROLE --limit 1000',
      'form dry-run contact --settings draft.json --json',
    ]),
  )
    .argument('<form>', 'its slug, name or ID')
    .option('--settings <file>', 'complete settings as JSON, - for standard input; default: the current ones')
    .option('--weight <rule=points...>', 'points of a rule; several are allowed')
    .option('--disable <rule...>', 'rules that are turned off')
    .option('--limit <number>', 'how many leads to score again; default: 200')
    .action(async (form: string, options: DryRunOptions, command: Command) => {
      const { api, out } = sessionOf(command);
      const params = await formParams(api, options.workspace, form);
      const at = '/workspaces/:workspace_id/forms/:form_id/scoring';
      const given =
        options.settings === undefined
          ? (await api.call('GET', at, { params })).settings
          : await readSettings(options.settings);
      const settings = withOptions(given, options);
      const tried = await api.call('POST', `${at}/dry-run`, {
        params,
        body: {
          settings,
          ...(options.limit === undefined ? {} : { limit: countOption('--limit', options.limit) }),
        },
      });
      if (out.isJson) return out.result(tried, '');
      out.note(summary(tried));
      if (tried.examples.length > 0) out.table(tried.examples, columns, '');
    });

/** The service checks what is in it. */
async function readSettings(path: string): Promise<Settings> {
  const text = (await readBytes(path)).toString('utf8');
  const isObject = (value: unknown): value is Settings => typeof value === 'object' && value !== null;
  try {
    const settings: unknown = JSON.parse(text);
    if (isObject(settings)) return settings;
  } catch {
    // Said below.
  }
  throw new CliError('usage', 'The settings are not a JSON object.');
}

function withOptions(settings: Settings, { weight = [], disable = [] }: DryRunOptions): Settings {
  if (weight.length === 0 && disable.length === 0) return settings;
  return {
    ...settings,
    weights: { ...settings.weights, ...Object.fromEntries(weight.map(weightOf)) },
    disabled: [...new Set([...(settings.disabled ?? []), ...disable])],
  };
}

function weightOf(text: string): [code: string, points: number] {
  const match = /^(\w+)=([-+]?\d{1,3})$/.exec(text);
  if (match === null) throw new CliError('usage', `${text} is not a weight: write EMAIL_DISPOSABLE=60.`);
  return [match[1] as string, Number(match[2])];
}

function summary({ leads, changed, shifted }: DryRun): string {
  return `${changed} of ${leads} leads would get a different verdict, ${shifted} only another risk or score.`;
}
