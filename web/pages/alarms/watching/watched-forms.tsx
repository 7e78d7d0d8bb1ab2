import { Text } from '@mantine/core';
import { useQueries, useQuery } from '@tanstack/react-query';
import { rhythmQuery } from '../../../api/alarm-queries.ts';
import { formsQuery } from '../../../api/queries.ts';
import { TextLink } from '../../../parts/links.tsx';
import { countText } from '../../../parts/numbers.ts';
import { useWorkspaceId } from '../../../shell/workspace.ts';
import { shortSilenceText } from './silence-text.ts';

const shownMax = 6;

/** After how long without a lead each form would raise an alarm. */
export function WatchedForms() {
  const workspaceId = useWorkspaceId();
  const forms = useQuery(formsQuery(workspaceId)).data?.items ?? [];
  const shown = forms.slice(0, shownMax);
  const rhythms = useQueries({ queries: shown.map(({ id }) => rhythmQuery(workspaceId, id)) });
  if (forms.length === 0) return null;
  return (
    <>
      <dl className="facts">
        {shown.map(({ id, name }, i) => {
          const rhythm = rhythms[i]?.data;
          return (
            <div key={id} style={{ display: 'contents' }}>
              <dt className="wrap" style={{ maxWidth: 220 }}>
                <TextLink to="/w/$workspaceId/forms/$formId" params={{ workspaceId, formId: id }} size="sm">
                  {name}
                </TextLink>
              </dt>
              <dd>{rhythm === undefined ? '–' : shortSilenceText(rhythm)}</dd>
            </div>
          );
        })}
      </dl>
      {forms.length > shownMax && (
        <Text size="sm" c="dimmed">
          and {countText(forms.length - shownMax, 'other form')}
        </Text>
      )}
    </>
  );
}
