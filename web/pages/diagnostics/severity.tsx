import type { Diagnostics } from '../../../src/contract/diagnostics.ts';
import type { IconName } from '../../parts/icons.tsx';
import { Tag, type Tone } from '../../parts/tag.tsx';

type Severity = Diagnostics['by_reason'][number]['severity'];

const looks: Readonly<Record<Severity, { word: string; icon: IconName; tone: Tone; meaning: string }>> = {
  error: { word: 'Error', icon: 'alert', tone: 'bad', meaning: 'dropped' },
  warning: { word: 'Warning', icon: 'bell', tone: 'warning', meaning: 'kept, but altered' },
  info: { word: 'Info', icon: 'pause', tone: 'quiet', meaning: 'dropped on purpose' },
};

/** No rejection is a warning so far, so that filter would find nothing. */
export const severityChoices = (['error', 'info'] as const).map((value) => ({
  value,
  label: `${looks[value].word}: ${looks[value].meaning}`,
}));

/** A URL can hold anything. */
export const severityWord = (severity: string) => looks[severity as Severity]?.word ?? severity;

/** What became of the data, as an icon and a word. */
export function SeverityMark({ severity }: { severity: Severity }) {
  const { word, icon, tone, meaning } = looks[severity];
  return (
    <Tag tone={tone} icon={icon}>
      {word}
      <span className="only-read">: {meaning}</span>
    </Tag>
  );
}
