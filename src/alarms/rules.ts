import type { Rule } from './rule.ts';
import { clockDriftRule } from './rules/clock-drift.ts';
import { destinationsRule } from './rules/destinations.ts';
import { expiryNearRule } from './rules/expiry-near.ts';
import { fieldVanishedRule } from './rules/field-vanished.ts';
import { heldWaitingRule } from './rules/held-waiting.ts';
import { limitNearRule } from './rules/limit-near.ts';
import { rejectionsRule } from './rules/rejections/rejections.ts';
import { keyReusedRule, senderUnsupportedRule } from './rules/senders.ts';
import { silenceRule } from './rules/silence.ts';
import { spamSurgeRule } from './rules/spam-surge.ts';
import { spoolWaitingRule } from './rules/spool-waiting.ts';
import { unattributedSurgeRule } from './rules/unattributed-surge.ts';

/** All rules but the one about the watch itself. Their order does not matter. */
export function alarmRules(): readonly Rule[] {
  return [
    rejectionsRule(),
    silenceRule(),
    fieldVanishedRule(),
    spamSurgeRule(),
    limitNearRule(),
    clockDriftRule(),
    expiryNearRule(),
    heldWaitingRule(),
    senderUnsupportedRule(),
    keyReusedRule(),
    destinationsRule(),
    unattributedSurgeRule(),
    spoolWaitingRule(),
  ];
}
