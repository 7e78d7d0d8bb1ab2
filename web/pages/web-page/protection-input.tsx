import { Input, PasswordInput, Radio, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { isCaptcha, type Protection } from '../../../src/contract/browser/terms.ts';
import { type DraftProps, draftOf } from './draft.ts';

export const protectionNames: Readonly<Record<Protection, string>> = {
  work: 'Proof of work',
  turnstile: 'Cloudflare Turnstile',
  hcaptcha: 'hCaptcha',
  none: 'None',
};

/** What each one stops, what it does not, and what it costs visitors. */
const texts: Readonly<Record<Protection, string>> = {
  work: 'The browser computes for about half a second before it sends, and visitors notice nothing. Sending in bulk becomes expensive, but a patient bot can still do it. No third party is involved. Recommended.',
  turnstile:
    'Stops more bots. The visitor’s browser loads a script from Cloudflare, which then sees their IP address: your privacy notice has to say so. Submissions fail while Cloudflare does not respond.',
  hcaptcha:
    'Stops more bots, and some visitors have to solve a puzzle. The visitor’s browser loads a script from hCaptcha, which then sees their IP address: your privacy notice has to say so. Submissions fail while hCaptcha does not respond.',
  none: 'Any program that claims one of your origins can send leads. Only the limits and the score are left. Choose this only if your page has its own protection, such as a sign-in.',
};
const choices = Object.keys(protectionNames) as Protection[];

/** What a page must show before it gets a token. */
export function ProtectionInput({ form, stored, isReadOnly }: DraftProps) {
  const { protection } = form.values;
  const choose = (chosen: Protection) => {
    form.setFieldValue('protection', chosen);
    // The keys of one service are of no use to the other.
    const before = draftOf(stored);
    form.setFieldValue(
      'captcha',
      chosen === before.protection ? before.captcha : { site_key: '', secret: '' },
    );
  };
  return (
    <Stack gap="sm">
      <Radio.Group
        label="Protection against bots"
        value={protection}
        error={form.errors.protection}
        onChange={(value) => choose(value as Protection)}
      >
        <Stack gap="sm" mt="xs">
          {choices.map((value) => (
            <Radio
              key={value}
              value={value}
              label={protectionNames[value]}
              description={texts[value]}
              disabled={isReadOnly}
            />
          ))}
        </Stack>
      </Radio.Group>
      {isCaptcha(protection) && <CaptchaKeys form={form} stored={stored} isReadOnly={isReadOnly} />}
    </Stack>
  );
}

function CaptchaKeys({ form, stored, isReadOnly }: DraftProps) {
  const isStored = hasStoredSecret(form, stored);
  return (
    <Stack gap={4}>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
        <TextInput
          label="Site key"
          autoComplete="off"
          spellCheck={false}
          readOnly={isReadOnly}
          {...form.getInputProps('captcha.site_key')}
        />
        <PasswordInput
          label="Secret key"
          placeholder={isStored ? 'Saved; leave empty to keep it' : ''}
          autoComplete="off"
          readOnly={isReadOnly}
          visibilityToggleButtonProps={{ 'aria-label': 'Show secret key' }}
          {...form.getInputProps('captcha.secret')}
        />
      </SimpleGrid>
      {form.errors.captcha && <Input.Error role="alert">{form.errors.captcha}</Input.Error>}
    </Stack>
  );
}

/** A stored secret is one of the service that is stored. */
export function hasStoredSecret(form: DraftProps['form'], stored: DraftProps['stored']): boolean {
  return stored.captcha?.has_secret === true && stored.protection === form.values.protection;
}
