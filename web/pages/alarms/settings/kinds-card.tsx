import { Box, Title } from '@mantine/core';
import { alarmKinds, alarmKindTexts } from '../../../../src/contract/alarms/terms.ts';
import { changeRule, ruleFor } from '../alarm-rules.ts';
import { MutedTag } from './muted-tag.tsx';
import { RuleSwitch } from './rule-switch.tsx';
import type { SettingsDraft } from './settings-draft.ts';
import { SilenceChoices } from './silence-choices.tsx';

/** What counts as wrong. */
export function KindsCard({ form }: SettingsDraft) {
  const { rules } = form.values;
  return (
    <Box className="panel" p="lg">
      <Title order={2} size="h5" mb={4}>
        What is watched
      </Title>
      <Box component="ul" m={0} p={0} className="statements">
        {alarmKinds.map((kind) => {
          const subject = { kind, form_id: null, token_id: null };
          const rule = ruleFor(rules, subject);
          const change = (values: Parameters<typeof changeRule>[2]) =>
            form.setFieldValue('rules', changeRule(rules, subject, values));
          const { name, text } = alarmKindTexts[kind];
          return (
            <Box key={kind} component="li" className="field" py={10}>
              <RuleSwitch
                label={name}
                description={text}
                isOn={rule.enabled}
                onChange={(enabled) => change({ enabled })}
              />
              <MutedTag rule={rule} onUnmute={() => change({ muted_until: null })} />
              {kind === 'silence' && rule.enabled && (
                <SilenceChoices rule={rule} of="all forms" onChange={change} />
              )}
            </Box>
          );
        })}
      </Box>
    </Box>
  );
}
