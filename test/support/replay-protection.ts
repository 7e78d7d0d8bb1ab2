import { expect } from 'vitest';
import { eventually } from './diagnostics.ts';
import { post, type Sender, submissionIdOf } from './sender.ts';
import type { TestService } from './service.ts';

/**
 * Waits until an instance accepts every signature of a form only once. It is not enough that it knows the form, because it
 * may still have the old settings. Each attempt leaves one or two leads.
 */
export async function countsSignaturesOnce(instance: TestService, sender: Sender): Promise<void> {
  let looks = 0;
  const isFollowed = async () => {
    const body = `{"look":${++looks}}`;
    const timestamp = String(Math.floor(instance.clock.now() / 1000));
    const under = (key: string) => post(instance, sender, 'webhook', body, { timestamp, key });
    const answers = [await under(`look ${looks}`), await under(`look ${looks} again`)];
    return answers.every(({ status }) => status === 202) && new Set(answers.map(submissionIdOf)).size === 1;
  };
  expect(await eventually(isFollowed, Boolean)).toBe(true);
}
