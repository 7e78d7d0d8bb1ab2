import { expect } from 'vitest';
import { eventually } from './diagnostics.ts';
import { post, type Sender, submissionIdOf } from './sender.ts';
import type { TestService } from './service.ts';

/**
 * Waits until an instance counts every signature of a form once. That it knows the form is no proof: it may know it
 * from before the change. Each look leaves a lead or two.
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
