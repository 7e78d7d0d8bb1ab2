import { Button, Group, Text } from '@mantine/core';
import type { SignatureDebugAnswer } from '../../../src/contract/signature-debug.ts';
import { DriftScale } from '../../parts/charts/drift-scale.tsx';
import { pointsText } from '../../parts/numbers.ts';
import { Tag } from '../../parts/tag.tsx';
import { exactTime } from '../../parts/time.tsx';

/** Where the time comes from that the timestamp was compared to. */
export const judgedTexts: Record<SignatureDebugAnswer['judged_by'], string> = {
  rejection: 'when the request arrived',
  received_at: 'the time you entered',
  date_header: "the Date header, written by the sender's clock",
  now: 'now',
};

/** The bar shows twice the tolerance on either side. */
const tolerances = 2;

interface DriftBarProps {
  readonly answer: SignatureDebugAnswer;
  /** Checks the request as of another time; undefined if its time is known. */
  readonly onJudgeAt: ((time: string) => void) | undefined;
}

/** The sender's clock compared with ours: in words, in numbers, and on a scale. */
export function DriftBar({ answer, onJudgeAt }: DriftBarProps) {
  const { clock, judged_at, judged_by } = answer;
  if (clock === null)
    return (
      <Text size="sm" c="dimmed">
        The timestamp shows no time that could be compared.
      </Text>
    );
  const { within_tolerance: isWithin, timestamp } = clock;
  const tolerance = `${clock.tolerance_seconds / 60} min`;
  const verdict = `${isWithin ? 'Within' : 'Outside'} ±${tolerance}`;
  return (
    <>
      <DriftScale
        label={`Sender's clock: ${clock.text}. ${verdict}.`}
        half={tolerances * clock.tolerance_seconds}
        allowed={clock.tolerance_seconds}
        marks={[{ seconds: clock.drift_seconds }]}
        isOutside={!isWithin}
        labels={[{ seconds: clock.tolerance_seconds, text: tolerance }]}
      />
      <dl className="facts numbers">
        <dt>Timestamp</dt>
        <dd>{timestamp === null ? 'out of range' : exactTime(timestamp)}</dd>
        <dt>Compared to</dt>
        <dd>
          {exactTime(judged_at)} ({judgedTexts[judged_by]})
        </dd>
        <dt>Difference</dt>
        <dd>
          <Group gap="xs" component="span">
            <span>
              {pointsText(clock.drift_seconds)} s ({clock.text})
            </span>
            <Tag tone={isWithin ? 'good' : 'bad'} icon={isWithin ? 'check' : 'alert'}>
              {verdict}
            </Tag>
          </Group>
        </dd>
      </dl>
      {judged_by === 'now' && !isWithin && timestamp !== null && onJudgeAt && (
        <Group gap="xs" mt="sm">
          <Text size="sm">Was it sent earlier? Enter the time in “Sent at”, or</Text>
          <Button size="compact-xs" variant="light" onClick={() => onJudgeAt(timestamp)}>
            Use the time in its timestamp
          </Button>
        </Group>
      )}
    </>
  );
}
