import type { Command } from 'commander';
import type { Lead } from '../../../contract/leads/lead.ts';
import { newCommand, sessionOf } from '../../command.ts';
import { findWorkspace, idArgument } from '../../find.ts';
import { inWorkspace, type WorkspaceOption } from '../../options.ts';
import { styled } from '../../output.ts';
import { detailLines, valueText } from '../../terminal/details.ts';
import { printable } from '../../terminal/safe-text.ts';
import { verdictColour } from './verdict.ts';

// The JSON says how the values were found.
const unshown = new Set(['schema', 'providers', 'provenance']);

export const getCommand = () =>
  inWorkspace(
    newCommand('get', 'Show a lead: its fields, score, reasons and enrichment.', [
      'lead get 0199f3a2-5c1e-7c44-9c1b-0d9c7f2a4e10',
      'lead get 0199f3a2-5c1e-7c44-9c1b-0d9c7f2a4e10 --json | jq .fields',
    ]),
  )
    .argument('<id>', 'its submission ID')
    .action(async (id: string, { workspace }: WorkspaceOption, command: Command) => {
      const submissionId = idArgument('submission ID', id);
      const { api, out } = sessionOf(command);
      const { id: workspaceId } = await findWorkspace(api, workspace);
      const lead = await api.call('GET', '/workspaces/:workspace_id/leads/:submission_id', {
        params: { workspace_id: workspaceId, submission_id: submissionId },
      });
      if (out.isJson) return out.result(lead, '');
      const forms = await api.list('/workspaces/:workspace_id/forms', {
        params: { workspace_id: workspaceId },
      });
      out.result(lead, leadText(lead, forms.find((form) => form.id === lead.form_id)?.slug ?? null));
    });

function leadText(lead: Lead, slug: string | null): string {
  const { verdict, scored_verdict: scored, mark } = lead;
  const marked = mark === null ? '' : ` (marked ${mark.mark} by ${mark.by}; scored ${scored})`;
  return [
    ...detailLines([
      ['Id', lead.submission_id],
      ['Received', lead.received_at],
      ['Form', slug === null ? `${lead.form_id} (deleted)` : `${slug} (${lead.form_id})`],
      ['Surface', lead.surface],
      ['Score', `${lead.grade} ${lead.score}, risk ${lead.risk}, fit ${lead.fit}, intent ${lead.intent}`],
    ]),
    `${styled('bold', 'Verdict')}   ${styled(verdictColour(verdict), printable(verdict))}${printable(marked)}`,
    ...section('Fields', Object.entries(lead.fields)),
    ...section(
      'Reasons',
      [...lead.reasons, ...lead.merits].map(({ code, points, text }) => [`${code} ${signed(points)}`, text]),
    ),
    ...section(
      'Enrichment',
      Object.entries(lead.enrichment ?? {}).filter(([name]) => !unshown.has(name)),
    ),
  ].join('\n');
}

function section(title: string, entries: readonly (readonly [string, unknown])[]): string[] {
  if (entries.length === 0) return [];
  return [
    '',
    styled('bold', title),
    ...entries.map(([name, value]) => `  ${printable(name)}: ${valueText(value)}`),
  ];
}

function signed(points: number): string {
  return points > 0 ? `+${points}` : String(points);
}
